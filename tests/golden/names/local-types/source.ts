// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare const now: string;

function getFirst(e: RequestEvent) {
  interface Shape {
    first: string;
  }
  const shape: Shape = { first: now };
  return e.json(200, { shape });
}

function getSecond(e: RequestEvent) {
  interface Shape {
    second: string;
  }
  const shape: Shape = { second: now };
  return e.json(200, { shape });
}

export function routes(router: VersionedRouter): void {
  router.get("/first", getFirst);
  router.get("/second", getSecond);
}
