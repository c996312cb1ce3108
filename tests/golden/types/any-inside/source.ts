// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Loose {
  id: string;
  payload: any;
}

declare function find(): Loose;

function getLoose(e: RequestEvent) {
  return e.json(200, find());
}

export function routes(router: VersionedRouter): void {
  router.get("/loose", getLoose);
}
