// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function find(id: number): string;

function getThing(e: RequestEvent<"id" | "kind">) {
  const id = Number.parseInt(e.pathValue("id"), 10);
  if (Number.isNaN(id)) throw e.error(400, "An id is a number.");
  if (!["a", "b"].includes(e.pathValue("kind"))) throw e.error(404, "There is no such kind.");
  return e.json(200, { name: find(id) });
}

export function routes(router: VersionedRouter): void {
  router.get("/{kind}/{id}", getThing);
}
