// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { again, retry } from "./retry.ts";
import { changeStock, readStock } from "./stock.ts";

interface Adjustment {
  quantity: number;
  reason: "sale" | "return" | "count";
}

/** Return what lies in a warehouse. */
export async function getStock(e: RequestEvent<"id">) {
  const below = e.query("below");
  const levels = await retry(() => readStock(e.pathValue("id")));
  return e.json(
    200,
    levels.filter((level) => below === undefined || level.quantity < Number(below)),
  );
}

/** Change the stock of one article. */
async function adjustStock(e: RequestEvent<"id" | "sku">) {
  const { quantity, reason } = await e.bindBody<Adjustment>();
  const level = await changeStock(e.pathValue("id"), e.pathValue("sku"), (current) =>
    reason === "count" ? quantity : current + quantity,
  );
  return e.json(200, level);
}

export function routes(router: VersionedRouter): void {
  router.get("/warehouses/{id}/stock", getStock);
  router.put("/warehouses/{id}/stock/{sku}", again(3)(adjustStock));
}
