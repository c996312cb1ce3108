// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function find(...criteria: unknown[]): Promise<string[]>;

async function direct(e: RequestEvent) {
  return e.json(200, await find(e.url.searchParams.get("q"), e.url.searchParams.getAll("tag")));
}

async function keptInAVariable(e: RequestEvent) {
  const params = e.url.searchParams;
  const q = params.get("q");
  const tags = params.getAll("tag");
  return e.json(200, await find(q, tags, params.has("archived")));
}

async function keptUrl(e: RequestEvent) {
  const url = e.url;
  const address = url;
  return e.json(200, await find(address.searchParams.get("q")));
}

async function optionalChain(e: RequestEvent) {
  const q = e.url?.searchParams?.get("q")?.trim();
  return e.json(200, await find(q));
}

async function computedAccess(e: RequestEvent) {
  return e.json(200, await find(e["url"]["searchParams"]["get"]("q")));
}

export function routes(router: VersionedRouter): void {
  router.get("/direct", direct);
  router.get("/variable", keptInAVariable);
  router.get("/url", keptUrl);
  router.get("/chain", optionalChain);
  router.get("/computed", computedAccess);
}
