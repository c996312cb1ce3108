// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function list(...values: unknown[]): string[];

function listThings(e: RequestEvent) {
  const since = e.query("since") ?? new Date().toISOString();
  const tenant = e.header("X-Tenant") ?? process.env.TENANT;
  const text = e.query("q") ?? e.query("search");
  return e.json(200, list(since, tenant, text));
}

export function routes(router: VersionedRouter): void {
  router.get("/things", listThings);
}
