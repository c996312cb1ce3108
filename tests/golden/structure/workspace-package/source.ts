// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import {
  articleBySku,
  convert,
  type QuoteLine,
  quoteFor,
  readCurrency,
} from "./packages/pricing/src/index.ts";

interface QuoteRequest {
  lines: QuoteLine[];
  customer?: string;
}

/** Calculate what a basket costs, without ordering it. */
export async function createQuote(e: RequestEvent) {
  const currency = readCurrency(e);
  const { lines } = await e.bindBody<QuoteRequest>();
  return e.json(200, quoteFor(lines, currency));
}

export function getPrice(e: RequestEvent<"sku">) {
  const article = articleBySku(e.pathValue("sku"));
  const currency = readCurrency(e);
  return e.json(200, { sku: article.sku, price: convert(article.price, currency), currency });
}

export function routes(router: VersionedRouter): void {
  router.post("/quotes", createQuote);
  router.get("/articles/{sku}/price", getPrice);
}
