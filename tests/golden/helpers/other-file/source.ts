// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { pageOf, readers, sortOf } from "./index.ts";
import sortAgain, { size as limit } from "./read.ts";

declare function list(...values: unknown[]): string[];

function renamed(e: RequestEvent) {
  return e.json(200, list(pageOf(e), limit(e)));
}

function namespaced(e: RequestEvent) {
  return e.json(200, list(readers.size(e)));
}

function defaulted(e: RequestEvent) {
  return e.json(200, list(sortOf(e), sortAgain(e)));
}

export function routes(router: VersionedRouter): void {
  router.get("/renamed", renamed);
  router.get("/namespaced", namespaced);
  router.get("/defaulted", defaulted);
}
