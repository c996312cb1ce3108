// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function find(...criteria: unknown[]): string[];

function listParts(e: RequestEvent<"part">) {
  const twice = [e.query("part"), e.url.searchParams.get("part"), e.query("part")];
  const tenant = e.header("X-Tenant") ?? e.header("x-tenant") ?? e.request.headers["x-tenant"];
  return e.json(200, find(twice, tenant, e.query("X-Tenant"), e.pathValue("part")));
}

export function routes(router: VersionedRouter): void {
  router.get("/parts/{part}", listParts);
}
