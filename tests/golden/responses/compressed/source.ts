// API_SOURCE
import { compress, type RequestEvent, type VersionedRouter } from "../../../../src/index.ts";

interface Report {
  title: string;
  rows: number[];
}

declare function findReport(id: string): Promise<Report | undefined>;

/** Returns a report. */
async function getReport(e: RequestEvent) {
  const report = await findReport(e.pathValue("id"));
  if (!report) throw e.error(404, "Unknown report.");
  return e.json(200, report);
}

/** Deletes a report. */
function deleteReport(e: RequestEvent) {
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.get("/reports/{id}", getReport).bind(compress());
  router.delete("/reports/{id}", deleteReport);
}
