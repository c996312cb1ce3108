// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Shape {
  point: [number, number];
  labelled: [x: number, name: string];
  atLeastOne: [string, ...string[]];
  optional: [string, string?];
  plain: readonly string[];
}

declare function find(): Shape;

function getShape(e: RequestEvent) {
  return e.json(200, find());
}

export function routes(router: VersionedRouter): void {
  router.get("/shape", getShape);
}
