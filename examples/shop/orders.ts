// API_SOURCE
import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import { type App, type RequestEvent, type Router, requireAuth } from "../../src/index.ts";
import { type OrderRow, type Tables, tablesOf } from "./tables.ts";

interface Order {
  id: string;
  product_id: string;
  quantity: number;
  total_cents: number;
  status: "placed" | "shipped";
  created: string;
}

interface NewOrder {
  product_id: string;
  /**
   * @integer
   * @minimum 1
   * @maximum 100
   */
  quantity: number;
}

/** Orders that have been placed or shipped. */
const changes = new EventEmitter<{ order: [order: Order, userId: string] }>().setMaxListeners(0);

// API_DESC Orders a product.
// API_TAGS orders
async function placeOrder(e: RequestEvent) {
  const { product_id, quantity } = await e.bindBody<NewOrder>();
  const database = await e.app.database();
  const row = await database.transaction<Tables, OrderRow | undefined>(async (trx) => {
    const product = await trx
      .updateTable("products")
      .set(({ eb }) => ({ stock: eb("stock", "-", quantity) }))
      .where("id", "=", product_id)
      .where("stock", ">=", quantity)
      .returning("price_cents")
      .executeTakeFirst();
    if (!product) return undefined;
    const order = {
      id: randomUUID(),
      user_id: e.auth!.id,
      product_id,
      quantity,
      total_cents: product.price_cents * quantity,
      status: "placed",
      created: Date.now(),
    };
    await trx.insertInto("orders").values(order).execute();
    return order;
  });
  if (!row) throw e.error(409, "The product is not available in this quantity.");
  changes.emit("order", toOrder(row), row.user_id);
  return e.json(201, toOrder(row));
}

// API_DESC Lists your orders, with the latest first.
// API_TAGS orders
async function listOrders(e: RequestEvent) {
  const rows = await (await tablesOf(e))
    .selectFrom("orders")
    .selectAll()
    .where("user_id", "=", e.auth!.id)
    .orderBy("created", "desc")
    .limit(100)
    .execute();
  return e.json(200, rows.map(toOrder));
}

// API_DESC Sends your orders when they change.
// API_TAGS orders
function watchOrders(e: RequestEvent) {
  return e.sse<Order>(({ send, signal }) => {
    const onOrder = (order: Order, userId: string) => {
      if (userId === e.auth!.id) send({ event: "order", data: order });
    };
    changes.on("order", onOrder);
    signal.addEventListener("abort", () => changes.off("order", onOrder));
  });
}

export function mountOrders(router: Router): void {
  router.post("/orders", placeOrder).bind(requireAuth());
  router.get("/orders", listOrders).bind(requireAuth());
  router.get("/orders/events", watchOrders).bind(requireAuth());
}

/** Ships all placed orders. Returns their number. */
export async function shipOrders(app: App): Promise<number> {
  const rows = await (await app.database())
    .tables<Tables>()
    .updateTable("orders")
    .set({ status: "shipped" })
    .where("status", "=", "placed")
    .returningAll()
    .execute();
  for (const row of rows) changes.emit("order", toOrder(row), row.user_id);
  return rows.length;
}

function toOrder({ id, product_id, quantity, total_cents, status, created }: OrderRow): Order {
  return {
    id,
    product_id,
    quantity,
    total_cents,
    status: status === "shipped" ? "shipped" : "placed",
    created: new Date(created).toISOString(),
  };
}
