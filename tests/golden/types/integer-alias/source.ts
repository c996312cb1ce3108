// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

/**
 * A whole number.
 * @integer
 * @minimum 0
 */
type Count = number;

interface Stock {
  amount: Count;
  /** @integer */
  reserved: number | null;
  weight: number;
}

declare function find(): Stock;

function getStock(e: RequestEvent) {
  return e.json(200, find());
}

export function routes(router: VersionedRouter): void {
  router.get("/stock", getStock);
}
