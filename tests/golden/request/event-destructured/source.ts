// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function find(...criteria: unknown[]): string[];

function inTheBody(e: RequestEvent) {
  const { url, request } = e;
  return e.json(200, find(url.searchParams.get("q"), request.headers["x-tenant"]));
}

function tenantOf({ request }: RequestEvent) {
  return request.headers["x-tenant"];
}

function pageOf({ url: { searchParams } }: RequestEvent) {
  return searchParams.get("page");
}

function inTheParameters(e: RequestEvent) {
  return e.json(200, find(tenantOf(e), pageOf(e)));
}

export function routes(router: VersionedRouter): void {
  router.get("/body", inTheBody);
  router.get("/parameters", inTheParameters);
}
