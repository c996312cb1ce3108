// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function find(...criteria: unknown[]): string[];

function anotherSource(e: RequestEvent) {
  let params = e.url.searchParams;
  const first = params.get("first");
  params = new URLSearchParams("second=2");
  return e.json(200, find(first, params.get("second")));
}

function anotherName(e: RequestEvent) {
  let name = "page";
  const page = e.query(name);
  name = "size";
  const size = e.query(name);
  return e.json(200, find(page, size));
}

export function routes(router: VersionedRouter): void {
  router.get("/source", anotherSource);
  router.get("/name", anotherName);
}
