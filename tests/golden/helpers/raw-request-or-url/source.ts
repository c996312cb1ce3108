// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import type { IncomingMessage } from "node:http";

declare function list(...values: unknown[]): string[];

function tenantOf(request: IncomingMessage) {
  return request.headers["x-tenant"];
}

function pageOf(url: URL) {
  return url.searchParams.get("page");
}

function textOf(params: URLSearchParams, name: string) {
  return params.get(name)?.trim();
}

function listThings(e: RequestEvent) {
  return e.json(200, list(tenantOf(e.request), pageOf(e.url), textOf(e.url.searchParams, "q")));
}

function listElsewhere(e: RequestEvent) {
  const elsewhere = new URL("https://example.com/?page=2");
  return e.json(200, list(pageOf(elsewhere), textOf(new URLSearchParams("q=1"), "q")));
}

export function routes(router: VersionedRouter): void {
  router.get("/things", listThings);
  router.get("/elsewhere", listElsewhere);
}
