// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function list(...values: unknown[]): string[];

const reader = (e: RequestEvent) => (name: string) => e.query(name);
const param = (name: string) => (e: RequestEvent) => e.query(name);

const pageOf = param("page");

function listThings(e: RequestEvent) {
  const read = reader(e);
  return e.json(200, list(read("q"), reader(e)("sort"), pageOf(e), param("size")(e)));
}

export function routes(router: VersionedRouter): void {
  router.get("/things", listThings);
}
