// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Named {
  name: string;
}

interface Titled {
  title: string;
  name?: string;
}

interface Mixed {
  value: string | number;
  either: Named | Titled;
  list: (string | boolean)[];
}

declare function find(): Mixed;

function getMixed(e: RequestEvent) {
  return e.json(200, find());
}

export function routes(router: VersionedRouter): void {
  router.get("/mixed", getMixed);
}
