// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function list(...values: unknown[]): string[];

const PER_PAGE = 25;

function sorted(sort = "name", direction: string = "asc") {
  return list(sort, direction);
}

function listThings(e: RequestEvent) {
  const lang = e.query("lang") ?? "en";
  const page = Number(e.query("page")) || 1;
  const perPage = Number.parseInt(e.query("perPage") ?? String(PER_PAGE), 10);
  const region = e.header("X-Region") || "eu";
  const view = e.query("view") === undefined ? "table" : e.query("view");
  return e.json(200, list(lang, page, perPage, region, view, sorted(e.query("sort"), e.query("direction"))));
}

export function routes(router: VersionedRouter): void {
  router.get("/things", listThings);
}
