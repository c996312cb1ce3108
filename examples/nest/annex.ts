import { createApp } from "../../src/index.ts";

export const annex = createApp();
