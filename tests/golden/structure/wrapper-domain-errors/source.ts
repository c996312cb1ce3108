// API_SOURCE
import type { Handler, RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { NotFound, OutOfStock } from "./errors.ts";
import { addToBasket, basketById, productById } from "./shop.ts";

interface NewItem {
  productId: string;
  quantity: number;
}

/** Turns the errors of the domain, which know nothing of HTTP, into answers. */
function answering(handler: Handler): Handler {
  return async (e) => {
    try {
      return await handler(e);
    } catch (error) {
      if (error instanceof NotFound) return e.json(404, { problem: error.message });
      if (error instanceof OutOfStock) {
        return e.json(409, { problem: error.message, available: error.available });
      }
      throw error;
    }
  };
}

/** Return one product. */
function getProduct(e: RequestEvent) {
  const product = productById(e.pathValue("id"));
  return e.json(200, product);
}

/** Put something into a basket. */
async function addItem(e: RequestEvent) {
  const { productId, quantity } = await e.bindBody<NewItem>();
  const basket = basketById(e.pathValue("id"));
  if (basket.closed) throw e.error(423, "The basket is being paid for.");
  return e.json(200, addToBasket(basket, productId, quantity));
}

export function routes(router: VersionedRouter): void {
  router.get("/products/{id}", answering(getProduct));
  router.post("/baskets/{id}/items", answering(addItem));
}
