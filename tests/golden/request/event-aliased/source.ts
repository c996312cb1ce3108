// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function find(...criteria: unknown[]): string[];

function aliased(e: RequestEvent) {
  const ctx = e;
  const again = ctx;
  return again.json(200, find(ctx.query("a"), again.query("b")));
}

function boundMethod(e: RequestEvent) {
  const query = e.query.bind(e);
  const read = (name: string) => e.query(name);
  return e.json(200, find(query("a"), read("b")));
}

export function routes(router: VersionedRouter): void {
  router.get("/aliased", aliased);
  router.get("/bound", boundMethod);
}
