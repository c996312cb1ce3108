// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function list(...values: unknown[]): string[];

function listThings(e: RequestEvent) {
  const ids = e.queryAll("id").map((id) => id.trim());
  const tags = e.url.searchParams.getAll("tag").filter(Boolean);
  const years = (e.query("years") ?? "").split(",");
  return e.json(200, list(ids, tags, years));
}

export function routes(router: VersionedRouter): void {
  router.get("/things", listThings);
}
