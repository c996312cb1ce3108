// API_SOURCE
import type { RequestEvent } from "../../../../../src/index.ts";
import { isOrderState, orderById, ordersOf } from "../model/index.ts";

/** Return the orders of one customer. The newest comes first. */
export function listOrders(e: RequestEvent) {
  const customer = e.query("customer");
  if (customer === undefined) throw e.error(400, "Say whose orders you want.");

  const state = e.query("state");
  if (state !== undefined && !isOrderState(state)) {
    throw e.error(400, "There is no such state.");
  }

  const found = ordersOf(customer)
    .filter((order) => state === undefined || order.state === state)
    .sort((a, b) => b.placedAt.getTime() - a.placedAt.getTime());
  return e.json(200, found);
}

/** Cancel an order that has not been paid. */
export function cancelOrder(e: RequestEvent<"id">) {
  const order = orderById(e.pathValue("id"));
  if (!order) throw e.error(404, "There is no such order.");
  if (order.state === "paid") throw e.error(409, "The order has been paid.");
  order.state = "cancelled";
  return e.json(200, order);
}
