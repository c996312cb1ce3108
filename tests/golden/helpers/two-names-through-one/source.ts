// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function list(...values: unknown[]): string[];

function number(e: RequestEvent, name: string, fallback: number) {
  return Number(e.query(name) ?? fallback);
}

function window(e: RequestEvent, start: string, end: string) {
  return { start: e.query(start), end: e.query(end) };
}

function listThings(e: RequestEvent) {
  const offset = number(e, "page", 1) * number(e, "size", 20);
  return e.json(200, list(offset, window(e, "since", "until")));
}

export function routes(router: VersionedRouter): void {
  router.get("/things", listThings);
}
