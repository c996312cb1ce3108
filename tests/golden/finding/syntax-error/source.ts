// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

export { getBroken } from "./broken.ts";

export function getWhole(e: RequestEvent) {
  return e.json(200, { whole: e.query("q") ?? "" });
}

export function routes(router: VersionedRouter): void {
  router.get("/whole", getWhole);
}
