// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function load(tenant: string | undefined, ifMatch: string | undefined): Promise<string[]>;

async function listPlans(e: RequestEvent) {
  return e.json(200, await load(e.header("X-Tenant"), e.header("If-Match")));
}

export function routes(router: VersionedRouter): void {
  router.get("/plans", listPlans);
}
