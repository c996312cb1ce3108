// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function list(...values: unknown[]): string[];

function listThings(e: RequestEvent) {
  const archived = e.query("archived") === "true";
  const mine = e.query("mine");
  const owner = mine === "true" ? e.auth?.id : undefined;
  const isDeep = e.url.searchParams.get("deep") === "true";
  return e.json(200, list(archived, owner, isDeep, e.query("order") === "desc"));
}

export function routes(router: VersionedRouter): void {
  router.get("/things", listThings);
}
