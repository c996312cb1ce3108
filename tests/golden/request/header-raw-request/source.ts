// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function load(...values: unknown[]): Promise<string[]>;

async function byElement(e: RequestEvent) {
  return e.json(200, await load(e.request.headers["x-tenant"]));
}

async function byVariable(e: RequestEvent) {
  const { headers } = e.request;
  return e.json(200, await load(headers["x-tenant"], headers.range));
}

async function destructured(e: RequestEvent) {
  const { "x-tenant": tenant, range } = e.request.headers;
  return e.json(200, await load(tenant, range));
}

export function routes(router: VersionedRouter): void {
  router.get("/element", byElement);
  router.get("/variable", byVariable);
  router.get("/destructured", destructured);
}
