// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function later(callback: (e: RequestEvent) => unknown): void;
declare function list(...values: unknown[]): string[];

function unused(e: RequestEvent) {
  if (e.query("unused")) throw e.error(409, "Nobody calls this.");
  return e.header("X-Unused");
}

function listThings(e: RequestEvent) {
  const forgotten = (inner: RequestEvent) => inner.query("forgotten");
  later((other) => other.json(202, { never: other.query("other") }));
  return e.json(200, list(typeof forgotten, typeof unused));
}

export function routes(router: VersionedRouter): void {
  router.get("/things", listThings);
}
