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

/** Objects around a value are written as the value; anything may be an `Object`. */
interface Boxed {
  name: String;
  count: Number;
  isOpen: Boolean;
  note: String | null;
  payload: Object;
  amount: number | bigint;
  options: Intl.NumberFormatOptions;
}

declare function find(): Odd;
declare function boxed(): Boxed;

function getOdd(e: RequestEvent) {
  return e.json(200, find());
}

function getBoxed(e: RequestEvent) {
  return e.json(200, boxed());
}

export function routes(router: VersionedRouter): void {
  router.get("/odd", getOdd);
  router.get("/boxed", getBoxed);
}
