// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function list(...values: unknown[]): string[];

function numberAndText(e: RequestEvent) {
  const id = e.query("id");
  const found = id?.startsWith("#") ? list(id.slice(1)) : list(Number(id));
  return e.json(200, found);
}

function checkedFirst(e: RequestEvent) {
  const page = e.query("page");
  if (page === undefined) return e.json(200, list());
  return e.json(200, list(Number.parseInt(page, 10)));
}

export function routes(router: VersionedRouter): void {
  router.get("/mixed", numberAndText);
  router.get("/checked", checkedFirst);
}
