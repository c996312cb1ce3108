// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function list(...values: unknown[]): string[];

const { page: PAGE, ...OTHERS } = { page: "page", sort: "sort" };
const [, SECOND = "second", ...REST] = ["first", "by-place", "by-rest"];
const BASE = ["a", "b"] as const;
const MORE = [...BASE, "c"] as const;

class Notes {
  constructor(private readonly tenantHeader: string) {}

  list(e: RequestEvent) {
    return e.json(200, list(e.header(this.tenantHeader)));
  }
}

const notes = new Notes("X-Tenant");

function fromObject(e: RequestEvent) {
  return e.json(200, list(e.query(PAGE), e.query(OTHERS.sort)));
}

function fromArray(e: RequestEvent) {
  return e.json(200, list(e.query(SECOND), e.query(REST[0]!)));
}

function spread(e: RequestEvent) {
  return e.json(200, list(MORE.map((name) => e.query(name))));
}

function split(e: RequestEvent) {
  const [, text] = (e.request.url ?? "").split("?");
  return e.json(200, list(new URLSearchParams(text).get("by-split")));
}

export function routes(router: VersionedRouter): void {
  router.get("/object", fromObject);
  router.get("/array", fromArray);
  router.get("/spread", spread);
  router.get("/split", split);
  router.get("/notes", (e) => notes.list(e));
}
