// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface GetOrderResult {
  mine: string;
}

declare function own(): GetOrderResult;

function getOrder(e: RequestEvent) {
  return e.json(200, { total: own().mine.length });
}

function getOwn(e: RequestEvent) {
  return e.json(200, own());
}

export function routes(router: VersionedRouter): void {
  router.get("/order", getOrder);
  router.get("/own", getOwn);
}
