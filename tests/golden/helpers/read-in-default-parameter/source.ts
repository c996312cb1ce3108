// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function list(...values: unknown[]): string[];

function search(e: RequestEvent, text = e.query("q"), { page = e.query("page") } = {}) {
  return list(text, page);
}

function listThings(e: RequestEvent) {
  return e.json(200, search(e));
}

export function routes(router: VersionedRouter): void {
  router.get("/things", listThings);
}
