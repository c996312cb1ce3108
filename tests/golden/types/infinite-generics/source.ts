// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Nested<T> {
  value: T;
  deeper?: Nested<T[]>;
}

declare function find(): Nested<string>;

function getNested(e: RequestEvent) {
  return e.json(200, find());
}

export function routes(router: VersionedRouter): void {
  router.get("/nested", getNested);
}
