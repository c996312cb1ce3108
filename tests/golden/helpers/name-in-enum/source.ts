// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

enum Query {
  Page = "page",
  Size = "size",
}

const enum Header {
  Tenant = "X-Tenant",
}

declare function list(...values: unknown[]): string[];

function read(e: RequestEvent, name: Query) {
  return e.query(name);
}

export function listThings(e: RequestEvent) {
  return e.json(200, list(read(e, Query.Page), e.query(Query["Size"]), e.header(Header.Tenant)));
}

export function routes(router: VersionedRouter): void {
  router.get("/things", listThings);
}
