// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

const FORMATS = new Set(["pdf", "csv", "xlsx"]);
const REGIONS = new Set(["north", "south", "east", "west"]);
const STATUSES = ["draft", "approved", "published"] as const;

type ReportStatus = (typeof STATUSES)[number];

interface Report {
  id: string;
  title: string;
  status: ReportStatus;
}

interface Total {
  label: string;
  reports: number;
}

declare const reports: {
  list(status: ReportStatus | undefined, regions: string[]): Promise<Report[]>;
  totals(by: "team" | "month"): Promise<Total[]>;
  requestExport(id: string, format: string): Promise<{ job: string }>;
};

function isReportStatus(value: string): value is ReportStatus {
  return (STATUSES as readonly string[]).includes(value);
}

function statusFilter(e: RequestEvent): ReportStatus | undefined {
  const raw = e.query("status");
  if (raw === undefined) return undefined;
  if (!isReportStatus(raw)) throw e.error(400, `There is no status ${raw}.`);
  return raw;
}

async function listReports(e: RequestEvent) {
  const regions = e.queryAll("region");
  for (const region of regions) {
    if (!REGIONS.has(region)) throw e.error(400, `There is no region ${region}.`);
  }
  return e.json(200, await reports.list(statusFilter(e), regions));
}

async function summarizeReports(e: RequestEvent) {
  const by = e.query("group_by");
  if (by !== "team" && by !== "month") {
    return e.json(400, { problem: "Group by team or month." });
  }
  return e.json(200, await reports.totals(by));
}

async function exportReport(e: RequestEvent<"id">) {
  const format = e.query("format") ?? "pdf";
  if (!FORMATS.has(format)) throw e.error(422, "This format cannot be written.");
  return e.json(202, await reports.requestExport(e.pathValue("id"), format));
}

export function routes(router: VersionedRouter): void {
  router.get("/reports", listReports);
  router.get("/reports/summary", summarizeReports);
  router.post("/reports/{id}/export", exportReport);
}
