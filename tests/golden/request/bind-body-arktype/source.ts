// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { type } from "arktype";

const Point = type({
  x: "number",
  y: "number",
  "label?": "string",
});

declare function plot(point: typeof Point.infer): void;

async function addPoint(e: RequestEvent) {
  plot(await e.bindBody(Point));
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.post("/points", addPoint);
}
