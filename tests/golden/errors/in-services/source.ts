// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { OrderService } from "./service.ts";

const service = new OrderService();

function getOrder(e: RequestEvent<"id">) {
  return e.json(200, service.find(e.pathValue("id")));
}

async function payOrder(e: RequestEvent<"id">) {
  return e.json(200, await service.pay(e.pathValue("id")));
}

export function routes(router: VersionedRouter): void {
  router.get("/orders/{id}", getOrder);
  router.post("/orders/{id}/payment", payOrder);
}
