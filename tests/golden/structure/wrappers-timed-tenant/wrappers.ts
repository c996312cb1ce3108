import type { Handler, RequestEvent } from "../../../../src/index.ts";
import { type Tenant, tenantByName } from "./harbour.ts";

export function timed(handler: Handler): Handler {
  return async (e) => {
    const start = performance.now();
    try {
      return await handler(e);
    } finally {
      e.app.logger.debug("Handled", { path: e.path, ms: Math.round(performance.now() - start) });
    }
  };
}

export function withTenant(handler: (e: RequestEvent, tenant: Tenant) => unknown): Handler {
  return async (e) => {
    const name = e.header("X-Tenant");
    if (name === undefined) throw e.error(400, "The header X-Tenant is missing.");
    const tenant = await tenantByName(name);
    if (tenant === undefined) throw e.error(404, "There is no such tenant.");
    return handler(e, tenant);
  };
}
