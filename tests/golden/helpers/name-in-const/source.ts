// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { Headers, PAGE } from "./names.ts";
import * as names from "./names.ts";

const LIMIT = "limit";
const CURSOR: string = "cursor";

declare function list(...values: unknown[]): string[];

function listThings(e: RequestEvent) {
  const filter = { key: "filter" };
  return e.json(
    200,
    list(
      e.query(PAGE),
      e.query(LIMIT),
      e.query(CURSOR),
      e.query(names.SORT),
      e.query(filter.key),
      e.header(Headers.tenant),
      e.header(Headers["region"]),
    ),
  );
}

export function routes(router: VersionedRouter): void {
  router.get("/things", listThings);
}
