// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function find(...criteria: unknown[]): Promise<string[]>;

async function fromUrl(e: RequestEvent) {
  const { searchParams } = e.url;
  return e.json(200, await find(searchParams.get("q")));
}

async function nested(e: RequestEvent) {
  const {
    url: { searchParams: params },
  } = e;
  return e.json(200, await find(params.get("q")));
}

async function fromNewUrl(e: RequestEvent) {
  const { searchParams } = new URL(e.request.url ?? "/", "http://localhost");
  return e.json(200, await find(searchParams.get("q")));
}

export function routes(router: VersionedRouter): void {
  router.get("/url", fromUrl);
  router.get("/nested", nested);
  router.get("/new-url", fromNewUrl);
}
