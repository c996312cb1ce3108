/** Annex with a POST route, unchecked. */
import { serveOrders } from "../orders.ts";

await serveOrders({ isChecked: false });
