// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { type Paging, pagingOf } from "@shared/paging";

declare function list(paging: Paging): string[];

export function listThings(e: RequestEvent) {
  const paging = pagingOf(e);
  return e.json(200, { paging, items: list(paging) });
}

export function routes(router: VersionedRouter): void {
  router.get("/things", listThings);
}
