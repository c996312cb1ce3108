export * from "./articles.ts";
export * from "./currency.ts";
export * from "./errors.ts";
export { type Quote, type QuoteLine, quoteFor } from "./quote.ts";
