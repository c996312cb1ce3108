// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Report {
  id: string;
  lines: string[];
}

declare function find(id: string): Promise<Report | undefined>;
declare function isReady(id: string): boolean;

async function getReport(e: RequestEvent<"id">) {
  const id = e.pathValue("id");
  if (!isReady(id)) return e.json(202, { retryAfter: 30 });
  const report = await find(id);
  if (report === undefined) return e.json(404, { reason: "gone" });
  return e.json(200, report);
}

export function routes(router: VersionedRouter): void {
  router.get("/reports/{id}", getReport);
}
