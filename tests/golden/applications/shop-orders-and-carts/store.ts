import { randomUUID } from "node:crypto";
import { ApiError } from "../../../../src/index.ts";

export type Line = { sku: string; title: string; quantity: number; unitPrice: number };

export interface Cart {
  id: string;
  currency: "EUR" | "USD";
  lines: Line[];
  coupon?: string;
}

export const ORDER_STATUSES = ["placed", "paid", "shipped", "cancelled"] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export interface Order {
  id: string;
  status: OrderStatus;
  placedAt: Date;
  shippedAt: Date | null;
  lines: Line[];
  total: number;
  note?: string;
}

export class NotFound extends ApiError {
  constructor(what: string) {
    super(404, `There is no such ${what}.`);
  }
}

const carts = new Map<string, Cart>();
export const orders = new Map<string, Order>();
const stock = new Map<string, { title: string; price: number; left: number }>();

export function findCart(id: string): Cart {
  const cart = carts.get(id);
  if (!cart) throw new NotFound("cart");
  return cart;
}

export function setQuantity(cart: Cart, sku: string, quantity: number): Cart {
  const article = stock.get(sku);
  if (!article) throw new NotFound("article");
  if (article.left < quantity) throw new ApiError(409, `There is not enough of ${sku} in stock.`);
  const others = cart.lines.filter((line) => line.sku !== sku);
  const line: Line = { sku, title: article.title, quantity, unitPrice: article.price };
  const changed: Cart = { ...cart, lines: quantity === 0 ? others : [...others, line] };
  carts.set(cart.id, changed);
  return changed;
}

export function totalOf(lines: Line[]): number {
  return lines.reduce((sum, line) => sum + line.quantity * line.unitPrice, 0);
}

export function placeOrder(cart: Cart, note: string | undefined): Order {
  if (cart.lines.length === 0) throw new ApiError(409, "The cart is empty.");
  const { lines } = cart;
  const order: Order = {
    id: randomUUID(),
    status: "placed",
    placedAt: new Date(),
    shippedAt: null,
    lines,
    total: totalOf(lines),
  };
  if (note) order.note = note;
  orders.set(order.id, order);
  carts.delete(cart.id);
  return order;
}

export function findOrder(id: string): Order {
  const order = orders.get(id);
  if (!order) throw new NotFound("order");
  return order;
}
