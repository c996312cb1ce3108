// API_SOURCE
import type { VersionedRouter } from "../../../../src/index.ts";
import { cancelOrder, getInvoice, listCustomers, listOrders } from "./handlers/index.ts";

export function routes(router: VersionedRouter): void {
  router.get("/orders", listOrders);
  router.post("/orders/{id}/cancellation", cancelOrder);
  router.get("/invoices/{number}", getInvoice);
  router.get("/customers", listCustomers);
}
