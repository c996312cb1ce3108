import type { RequestEvent } from "../../../../src/index.ts";

export const find = (e: RequestEvent) => e.query("isbn");
