// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare const fields: string[];
declare function find(...criteria: unknown[]): string[];

function filtered(e: RequestEvent) {
  const filters = fields.map((field) => e.query(`filter[${field}]`));
  return e.json(200, find(filters, e.query("q")));
}

function negotiated(e: RequestEvent) {
  const name = process.env.TENANT_HEADER!;
  const tenant = e.header(name);
  return e.json(200, find(tenant));
}

export function routes(router: VersionedRouter): void {
  router.get("/filtered", filtered);
  router.get("/negotiated", negotiated);
}
