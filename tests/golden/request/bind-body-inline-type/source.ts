// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function place(productId: string, amount: number): Promise<string>;

async function createOrder(e: RequestEvent) {
  const { productId, amount = 1 } = await e.bindBody<{ productId: string; amount?: number }>();
  const id = await place(productId, amount);
  return e.json(201, { id });
}

export function routes(router: VersionedRouter): void {
  router.post("/orders", createOrder);
}
