/** Annex with a POST route, checked. */
import { serveOrders } from "../orders.ts";

await serveOrders({ isChecked: true });
