// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

const PREFIX = "created";

declare function list(...values: unknown[]): string[];

function range(e: RequestEvent, name: string) {
  return [e.query(`${name}_from`), e.query(`${name}_to`)];
}

function listThings(e: RequestEvent) {
  return e.json(200, list(e.query(`${PREFIX}_by`), e.query("sort" + "_by"), range(e, "updated")));
}

export function routes(router: VersionedRouter): void {
  router.get("/things", listThings);
}
