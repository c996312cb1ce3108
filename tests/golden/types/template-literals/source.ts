// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Codes {
  order: `order-${number}`;
  path: `/${string}`;
  size: `${"s" | "l"}-${"thin" | "wide"}`;
}

declare function find(): Codes;

function getCodes(e: RequestEvent) {
  return e.json(200, find());
}

export function routes(router: VersionedRouter): void {
  router.get("/codes", getCodes);
}
