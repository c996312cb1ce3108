// API_SOURCE
import type { RequestEvent } from "../../../../src/index.ts";

// API_DESC Lists things.
export default async (e: RequestEvent) => e.json(200, [e.query("q") ?? "all"]);
