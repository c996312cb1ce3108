import { UnknownCurrency } from "./errors.ts";

export type Currency = "EUR" | "USD" | "GBP";

// All that this package needs of a request.
export interface QueryReader {
  query(name: string): string | undefined;
}

const RATES: Record<Currency, number> = { EUR: 1, USD: 1.08, GBP: 0.85 };

function isCurrency(text: string): text is Currency {
  return text === "EUR" || text === "USD" || text === "GBP";
}

export function readCurrency(request: QueryReader): Currency {
  const wanted = request.query("currency") ?? "EUR";
  if (!isCurrency(wanted)) throw new UnknownCurrency(wanted);
  return wanted;
}

export function convert(euros: number, currency: Currency): number {
  return Math.round(euros * RATES[currency] * 100) / 100;
}
