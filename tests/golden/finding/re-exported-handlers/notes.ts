// API_SOURCE
import type { RequestEvent } from "../../../../src/index.ts";

// API_DESC Lists notes.
export const list = (e: RequestEvent) => e.json(200, [Number(e.query("page"))]);
