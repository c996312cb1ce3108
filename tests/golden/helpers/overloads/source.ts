// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function list(...values: unknown[]): string[];

function read(e: RequestEvent, name: string): string | undefined;
function read(e: RequestEvent, name: string, fallback: string): string;
function read(e: RequestEvent, name: string, fallback?: string): string | undefined {
  return e.query(name) ?? fallback;
}

function listThings(e: RequestEvent) {
  return e.json(200, list(read(e, "q"), read(e, "sort", "name")));
}

export function routes(router: VersionedRouter): void {
  router.get("/things", listThings);
}
