// API_SOURCE
import type { RequestEvent, Router } from "../../../../src/index.ts";

/** Node has no such header, so it is not a parameter. */
function readNothing(e: RequestEvent) {
  return e.json(200, { tenant: e.request.headers["X-Tenant"] ?? "none" });
}

/** The event compares names without case. */
function readHeaders(e: RequestEvent) {
  return e.json(200, { tenant: e.header("X-Tenant") ?? "none", region: e.request.headers["x-region"] ?? "" });
}

export function routes(router: Router): void {
  router.get("/nothing", readNothing);
  router.get("/headers", readHeaders);
}
