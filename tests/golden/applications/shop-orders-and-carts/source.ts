// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import {
  findCart,
  findOrder,
  ORDER_STATUSES,
  type OrderStatus,
  orders,
  placeOrder,
  setQuantity,
  totalOf,
} from "./store.ts";

interface Quantity {
  /** @minimum 0 @maximum 99 */
  quantity: number;
}

interface Checkout {
  shipping: "standard" | "express";
  note?: string;
}

function cartOf(e: RequestEvent) {
  const id = e.cookie("cart_id");
  if (id === undefined) throw e.error(404, "You have no cart yet.");
  return findCart(id);
}

function isOrderStatus(value: string): value is OrderStatus {
  return (ORDER_STATUSES as readonly string[]).includes(value);
}

function paging(e: RequestEvent) {
  const page = Number.parseInt(e.query("page") ?? "1", 10);
  if (Number.isNaN(page) || page < 1) throw e.error(400, "page must be 1 or more.");
  const perPage = Math.min(Number.parseInt(e.query("per_page") ?? "20", 10), 100);
  return { start: (page - 1) * perPage, end: page * perPage };
}

/** Returns the cart of this browser. */
function getCart(e: RequestEvent) {
  const cart = cartOf(e);
  return e.json(200, { ...cart, total: totalOf(cart.lines) });
}

/** Sets how many of an article are in the cart. Zero takes it out. */
async function setCartLine(e: RequestEvent<"sku">) {
  const { quantity } = await e.bindBody<Quantity>();
  return e.json(200, setQuantity(cartOf(e), e.pathValue("sku"), quantity));
}

async function checkOut(e: RequestEvent) {
  const { note } = await e.bindBody<Checkout>();
  const order = placeOrder(cartOf(e), note);
  e.setHeader("Location", `/orders/${order.id}`);
  return e.json(201, order);
}

/** Lists orders, newest first. */
function listOrders(e: RequestEvent) {
  const status = e.query("status");
  if (status !== undefined && !isOrderStatus(status)) throw e.error(400, "There is no such status.");
  const { start, end } = paging(e);
  const found = [...orders.values()]
    .filter((order) => status === undefined || order.status === status)
    .sort((a, b) => b.placedAt.getTime() - a.placedAt.getTime());
  return e.json(200, { items: found.slice(start, end), total: found.length });
}

const getOrder = (e: RequestEvent<"id">) => e.json(200, findOrder(e.pathValue("id")));

/** Cancels an order that has not been shipped. */
function cancelOrder(e: RequestEvent<"id">) {
  const order = findOrder(e.pathValue("id"));
  if (order.status === "shipped") throw e.error(409, "The order is on its way.");
  order.status = "cancelled";
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.get("/cart", getCart);
  router.put("/cart/lines/{sku}", setCartLine);
  router.post("/orders", checkOut);
  router.get("/orders", listOrders);
  router.get("/orders/{id}", getOrder);
  router.post("/orders/{id}/cancel", cancelOrder);
}
