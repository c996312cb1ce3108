// API_SOURCE
import type { RequestEvent } from "../../../../../src/index.ts";
import { loadReport } from "../reports.ts";

/** Return one report with all its values. */
export default async function getReport(e: RequestEvent<"id">) {
  return e.json(200, await loadReport(e.pathValue("id")));
}
