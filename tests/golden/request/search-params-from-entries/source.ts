// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function find(...criteria: unknown[]): Promise<string[]>;

async function byProperty(e: RequestEvent) {
  const query = Object.fromEntries(e.url.searchParams);
  return e.json(200, await find(query.q, query["sort-by"]));
}

async function destructured(e: RequestEvent) {
  const { q, lang = "en" } = Object.fromEntries(e.url.searchParams.entries());
  return e.json(200, await find(q, lang));
}

async function whole(e: RequestEvent) {
  const query = Object.fromEntries(e.url.searchParams);
  return e.json(200, await find(query));
}

export function routes(router: VersionedRouter): void {
  router.get("/property", byProperty);
  router.get("/destructured", destructured);
  router.get("/whole", whole);
}
