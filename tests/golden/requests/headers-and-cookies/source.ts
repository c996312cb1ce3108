// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

const CHANNELS = ["web", "app", "partner"];

interface Purchase {
  id: string;
  total: number;
  currency: string;
}

interface Checkout {
  shippingOption: string;
  giftWrap: boolean;
}

declare const purchases: {
  place(cart: string, checkout: Checkout, channel: string, idempotencyKey: string): Promise<Purchase>;
  find(id: string, currency: string): Promise<{ purchase: Purchase; revision: number } | undefined>;
};

function idempotencyKey(e: RequestEvent): string {
  const key = e.header("Idempotency-Key");
  if (key === undefined) throw e.error(400, "Send an Idempotency-Key, so that nobody pays twice.");
  if (key.length > 64) throw e.error(400, "The Idempotency-Key is too long.");
  return key;
}

async function checkOut(e: RequestEvent) {
  const key = idempotencyKey(e);
  const channel = e.header("X-Sales-Channel") ?? "web";
  if (!CHANNELS.includes(channel)) throw e.error(400, "We do not sell there.");
  const cart = e.cookie("cart");
  if (!cart) throw e.error(409, "There is no cart.");
  const checkout = await e.bindBody<Checkout>();
  return e.json(201, await purchases.place(cart, checkout, channel, key));
}

async function getPurchase(e: RequestEvent<"id">) {
  const currency = e.cookie("currency") ?? "EUR";
  const found = await purchases.find(e.pathValue("id"), currency);
  if (!found) throw e.error(404, "There is no such purchase.");
  const etag = `"${found.revision}-${currency}"`;
  e.setHeader("ETag", etag);
  e.setHeader("Vary", "Cookie");
  if (e.header("If-None-Match") === etag) return e.text(304, "");
  return e.json(200, found.purchase);
}

export function routes(router: VersionedRouter): void {
  router.post("/checkout", checkOut);
  router.get("/purchases/{id}", getPurchase);
}
