// API_SOURCE
import type { Handler, RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Tenant {
  name: string;
}

declare function tenantByName(name: string): Promise<Tenant | undefined>;

function logged(handler: Handler): Handler {
  return async (e) => {
    e.app.logger.info(e.path);
    return handler(e);
  };
}

function withTenant(handler: (e: RequestEvent, tenant: Tenant) => unknown): Handler {
  return async (e) => {
    const tenant = await tenantByName(e.header("X-Tenant") ?? "main");
    if (!tenant) throw e.error(403, "There is no such tenant.");
    return handler(e, tenant);
  };
}

const cached = (seconds: number) => (handler: Handler) => (e: RequestEvent) => {
  e.setHeader("Cache-Control", `max-age=${seconds}`);
  return handler(e);
};

// API_DESC Tells the tenant.
function getTenant(e: RequestEvent, tenant: Tenant) {
  return e.json(200, { tenant, q: e.query("q") ?? "" });
}

// API_DESC Tells the time.
function getTime(e: RequestEvent) {
  return e.json(200, { zone: e.query("zone") ?? "UTC" });
}

// API_DESC Tells the size.
const getSize = logged(async (e) => e.json(200, { unit: e.query("unit") ?? "kB" }));

export function routes(router: VersionedRouter): void {
  router.get("/tenant", withTenant(getTenant));
  router.get("/time", logged(getTime));
  router.get("/cached", cached(60)(getTime));
  router.get("/both", logged(cached(60)(getTime)));
  router.get("/size", getSize);
}
