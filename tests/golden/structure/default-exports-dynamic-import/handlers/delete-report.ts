// API_SOURCE
import type { RequestEvent } from "../../../../../src/index.ts";
import { deleteReport, loadReport } from "../reports.ts";

export default async function removeReport(e: RequestEvent) {
  const report = await loadReport(e.pathValue("id"));
  if (e.query("force") !== "true" && report.values.length > 0) {
    throw e.error(409, "The report has values. Send force=true to delete it all the same.");
  }
  await deleteReport(report.id);
  return e.noContent();
}
