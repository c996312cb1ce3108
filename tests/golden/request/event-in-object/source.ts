// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Context {
  event: RequestEvent;
  tenant: string;
}

declare function find(...criteria: unknown[]): string[];

function search({ event, tenant }: Context) {
  return find(tenant, event.query("q"));
}

function count(context: Context) {
  return find(context.tenant, context.event.query("kind")).length;
}

function searchItems(e: RequestEvent) {
  return e.json(200, search({ event: e, tenant: "main" }));
}

function countItems(e: RequestEvent) {
  const context: Context = { event: e, tenant: "main" };
  return e.json(200, { count: count(context) });
}

export function routes(router: VersionedRouter): void {
  router.get("/items", searchItems);
  router.get("/items/count", countItems);
}
