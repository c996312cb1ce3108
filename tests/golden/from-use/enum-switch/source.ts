// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function list(order: string): string[];

function bySwitch(e: RequestEvent) {
  switch (e.query("sort")) {
    case "name":
      return e.json(200, list("name asc"));
    case "age":
    case "height":
      return e.json(200, list("number desc"));
    default:
      throw e.error(400, "That cannot be sorted by.");
  }
}

function byComparison(e: RequestEvent) {
  const view = e.query("view") ?? "table";
  if (view !== "table" && view !== "tree") throw e.error(400, "There is no such view.");
  return e.json(200, list(view));
}

export function routes(router: VersionedRouter): void {
  router.get("/switch", bySwitch);
  router.get("/comparison", byComparison);
}
