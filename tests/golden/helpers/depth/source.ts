// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { pagingOf } from "./paging.ts";

declare function list(page: number, size: number): Promise<string[]>;

async function listThings(e: RequestEvent) {
  const { page, size } = pagingOf(e);
  return e.json(200, await list(page, size));
}

export function routes(router: VersionedRouter): void {
  router.get("/things", listThings);
}
