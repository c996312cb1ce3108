// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Odd {
  total: bigint;
  names: Map<string, number>;
  tags: Set<string>;
  format: (value: number) => string;
  mark: symbol;
  kept: string;
}

declare function find(): Odd;

function getOdd(e: RequestEvent) {
  return e.json(200, find());
}

export function routes(router: VersionedRouter): void {
  router.get("/odd", getOdd);
}
