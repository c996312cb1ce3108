// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function list(...values: unknown[]): string[];

function firstOf(e: RequestEvent, names: readonly string[]): string | undefined {
  const [name, ...rest] = names;
  if (name === undefined) return e.query("fallback");
  return firstOf(e, rest);
}

function ping(e: RequestEvent, depth: number): string | undefined {
  return depth === 0 ? e.query("even") : pong(e, depth - 1);
}

function pong(e: RequestEvent, depth: number): string | undefined {
  return depth === 0 ? e.query("odd") : ping(e, depth - 1);
}

function listThings(e: RequestEvent) {
  return e.json(200, list(firstOf(e, ["a", "b"])));
}

function listOthers(e: RequestEvent) {
  return e.json(200, list(ping(e, 3)));
}

export function routes(router: VersionedRouter): void {
  router.get("/things", listThings);
  router.get("/others", listOthers);
}
