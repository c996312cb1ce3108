// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { InvoiceNumber } from "./domain/invoice-number.ts";
import { billing } from "./services/billing.ts";

interface PaymentRequest {
  amount: number;
  method: "card" | "transfer";
}

/** List the open invoices. */
export async function listInvoices(e: RequestEvent) {
  const overdue = e.query("overdue") === "true";
  return e.json(200, await billing.openInvoices(overdue));
}

/** Return one invoice. */
export async function getInvoice(e: RequestEvent<"number">) {
  const number = new InvoiceNumber(e.pathValue("number"));
  return e.json(200, await billing.invoice(number));
}

/** Pay an invoice, in full or in part. */
export async function payInvoice(e: RequestEvent<"number">) {
  const number = new InvoiceNumber(e.pathValue("number"));
  const { amount, method } = await e.bindBody<PaymentRequest>();
  const payment = await billing.pay(number, amount, method);
  return e.json(201, payment);
}

export function routes(router: VersionedRouter): void {
  router.get("/invoices", listInvoices);
  router.get("/invoices/{number}", getInvoice);
  router.post("/invoices/{number}/payments", payInvoice);
}
