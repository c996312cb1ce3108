// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare const total: number;

function getOrderHandler(e: RequestEvent) {
  return e.json(200, { total });
}

async function updateOrder(e: RequestEvent) {
  const { total } = await e.bindBody<{ total: number }>();
  return e.json(200, { total, changed: true });
}

const listOrders = async (e: RequestEvent) => e.json(200, { orders: [total] });

const handlers = {
  async removeOrder(e: RequestEvent) {
    return e.json(200, { removed: total });
  },
};

class OrderController {
  countOrders = (e: RequestEvent) => e.json(200, { count: total });
}

export function routes(router: VersionedRouter): void {
  router.get("/order", getOrderHandler);
  router.put("/order", updateOrder);
  router.get("/orders", listOrders);
  router.delete("/order", handlers.removeOrder);
  router.get("/count", new OrderController().countOrders);
}
