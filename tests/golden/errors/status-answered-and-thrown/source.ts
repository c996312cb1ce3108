// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function find(): string | undefined;

function getThing(e: RequestEvent) {
  const thing = find();
  if (thing === undefined) throw e.error(404, "There is none.");
  if (thing === "") return e.json(404, { empty: true });
  return e.json(200, thing);
}

export function routes(router: VersionedRouter): void {
  router.get("/thing", getThing);
}
