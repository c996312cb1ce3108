// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function tenantByKey(key: string): Promise<string | undefined>;

async function withTenant(e: RequestEvent<never>) {
  const key = e.header("X-Api-Key");
  if (!key) throw e.error(401, "Send your key.");
  e.set("tenant", await tenantByKey(key));
  await e.next();
}

function listPlans(e: RequestEvent) {
  return e.json(200, { tenant: e.get<string>("tenant") ?? "" });
}

export function routes(router: VersionedRouter): void {
  router.get("/plans", listPlans).bindFunc(withTenant);
}
