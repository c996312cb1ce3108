// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface CartLine {
  sku: string;
  quantity: number;
}

interface Cart {
  id: string;
  lines: CartLine[];
  total: number;
}

interface Preferences {
  newsletter: boolean;
  language: string;
}

declare const carts: {
  find(id: string): Promise<Cart | undefined>;
  replace(id: string, lines: CartLine[]): Promise<Cart>;
  remove(id: string): Promise<void>;
};
declare const preferences: {
  read(): Promise<Preferences>;
  change(changes: Partial<Preferences>): Promise<Preferences>;
};

/** One function for the whole resource, as the old framework wanted it. */
async function serveCart(e: RequestEvent<"id">) {
  if (e.method === "OPTIONS") {
    e.setHeader("Allow", "GET, PUT, DELETE");
    return e.text(200, "");
  }
  const id = e.pathValue("id");
  if (e.method === "DELETE") {
    await carts.remove(id);
    return e.noContent();
  }
  if (e.method === "PUT") {
    const lines = await e.bindBody<CartLine[]>();
    if (lines.length > 100) throw e.error(422, "A cart has at most 100 lines.");
    return e.json(200, await carts.replace(id, lines));
  }
  if (e.query("expand") === "true") e.app.logger.debug("Expanded a cart", { id });
  const cart = await carts.find(id);
  if (!cart) throw e.error(404, "There is no such cart.");
  return e.json(200, cart);
}

async function servePreferences(e: RequestEvent) {
  switch (e.method) {
    case "GET":
      return e.json(200, await preferences.read());
    case "PATCH": {
      const changes = await e.bindBody<Partial<Preferences>>();
      return e.json(200, await preferences.change(changes));
    }
    default:
      throw e.error(405, "Preferences are read and changed.");
  }
}

export function routes(router: VersionedRouter): void {
  router.get("/carts/{id}", serveCart);
  router.put("/carts/{id}", serveCart);
  router.delete("/carts/{id}", serveCart);
  router.get("/me/preferences", servePreferences);
  router.patch("/me/preferences", servePreferences);
}
