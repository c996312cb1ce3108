// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function tenants(name: string | undefined): Promise<string>;
declare function users(id: string | undefined): Promise<string[]>;

async function tenantOf(e: RequestEvent) {
  return tenants(e.header("X-Tenant"));
}

async function usersOf(e: RequestEvent) {
  return users(e.query("user"));
}

async function getOverview(e: RequestEvent) {
  const [tenant, all] = await Promise.all([tenantOf(e), usersOf(e)]);
  return e.json(200, { tenant, all });
}

export function routes(router: VersionedRouter): void {
  router.get("/overview", getOverview);
}
