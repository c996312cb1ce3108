import { articleBySku } from "./articles.ts";
import { convert, type Currency } from "./currency.ts";

export interface QuoteLine {
  sku: string;
  quantity: number;
}

export interface Quote {
  net: number;
  tax: number;
  gross: number;
  currency: Currency;
}

export function quoteFor(lines: QuoteLine[], currency: Currency): Quote {
  let net = 0;
  let tax = 0;
  for (const { sku, quantity } of lines) {
    const article = articleBySku(sku);
    net += article.price * quantity;
    tax += article.price * quantity * article.taxRate;
  }
  return {
    net: convert(net, currency),
    tax: convert(tax, currency),
    gross: convert(net + tax, currency),
    currency,
  };
}
