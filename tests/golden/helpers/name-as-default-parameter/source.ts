// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function list(...values: unknown[]): string[];

function pageOf(e: RequestEvent, name = "page") {
  return e.query(name);
}

function sortOf(e: RequestEvent, { name = "sort" }: { name?: string } = {}) {
  return e.query(name);
}

function listThings(e: RequestEvent) {
  return e.json(200, list(pageOf(e), sortOf(e)));
}

function listOthers(e: RequestEvent) {
  return e.json(200, list(pageOf(e, "p"), sortOf(e, { name: "order" })));
}

export function routes(router: VersionedRouter): void {
  router.get("/things", listThings);
  router.get("/others", listOthers);
}
