// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function list(page: number, tenant: string | undefined): Promise<string[]>;

function paginationOf(e: RequestEvent) {
  return { page: Number(e.query("page") ?? 1), perPage: Number(e.query("perPage") ?? 20) };
}

function tenantOf(e: RequestEvent) {
  return e.header("X-Tenant");
}

async function listThings(e: RequestEvent) {
  const { page } = paginationOf(e);
  return e.json(200, await list(page, tenantOf(e)));
}

export function routes(router: VersionedRouter): void {
  router.get("/things", listThings);
}
