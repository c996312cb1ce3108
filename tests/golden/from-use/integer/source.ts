// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function list(...values: unknown[]): string[];

function listThings(e: RequestEvent) {
  const page = Number.parseInt(e.query("page") ?? "1", 10);
  const size = parseInt(e.query("size") ?? "20");
  const year = Number(e.query("year") ?? 2020);
  if (!Number.isInteger(year)) throw e.error(400, "A year is a whole number.");
  const depth = Number.parseInt(e.header("X-Depth") ?? "", 10);
  return e.json(200, list(page, size, year, depth));
}

export function routes(router: VersionedRouter): void {
  router.get("/things", listThings);
}
