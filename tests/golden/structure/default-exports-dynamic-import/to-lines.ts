import type { RequestEvent } from "../../../../src/index.ts";
import type { Report } from "./reports.ts";

export function toLines(e: RequestEvent, report: Report, separator: string): string {
  const withHeading = e.query("heading") === "true";
  const lines = report.values.map((value, index) => `${index + 1}${separator}${value}`);
  return (withHeading ? [report.title, ...lines] : lines).join("\n");
}
