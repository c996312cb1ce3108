// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function list(...values: unknown[]): string[];

function listThings(e: RequestEvent) {
  const limit = Number(e.query("limit"));
  const ratio = Number.parseFloat(e.query("ratio") ?? "");
  const offset = +(e.query("offset") ?? 0);
  const text = e.query("price");
  const price = text === undefined ? undefined : Number(text);
  return e.json(200, list(limit, ratio, offset, price, e.query("q")?.toUpperCase()));
}

export function routes(router: VersionedRouter): void {
  router.get("/things", listThings);
}
