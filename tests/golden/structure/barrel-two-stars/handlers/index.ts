export * from "./orders.ts";
export * from "./invoices.ts";
export * from "./customers.ts";
