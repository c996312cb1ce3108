// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { listOthers } from "./other.ts";

function filterOf(e: RequestEvent) {
  return e.query("right");
}

function listThings(e: RequestEvent) {
  return e.json(200, { filter: filterOf(e) ?? null });
}

function listInner(e: RequestEvent) {
  const filterOf = (e: RequestEvent) => e.query("inner");
  return e.json(200, { filter: filterOf(e) ?? null });
}

export function routes(router: VersionedRouter): void {
  router.get("/things", listThings);
  router.get("/others", listOthers);
  router.get("/inner", listInner);
}
