// API_SOURCE
import type { RequestEvent } from "../../../../../src/index.ts";
import { loadReport } from "../reports.ts";

/** Export a report as text. One value stands on each line. */
const exportReport = async (e: RequestEvent<"id">) => {
  const separator = e.query("separator") ?? ";";
  const report = await loadReport(e.pathValue("id"));
  const { toLines } = await import("../to-lines.ts");
  e.setHeader("Content-Disposition", `attachment; filename="${report.id}.txt"`);
  return e.text(200, toLines(e, report, separator));
};

export default exportReport;
