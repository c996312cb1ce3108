export * from "./customer.ts";
export * from "./invoice.ts";
export * from "./order.ts";
