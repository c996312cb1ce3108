// API_SOURCE
import type { RequestEvent } from "../../../../../src/index.ts";
import { type Invoice, invoiceByNumber } from "../model/index.ts";

function printed(invoice: Invoice): string {
  return `${invoice.number}\t${invoice.amount.toFixed(2)}\t${invoice.due.toISOString()}\n`;
}

export function getInvoice(e: RequestEvent<"number">) {
  const invoice = invoiceByNumber(e.pathValue("number"));
  if (!invoice) throw e.error(404, "There is no such invoice.");
  if (e.query("format") === "text") return e.text(200, printed(invoice));
  return e.json(200, invoice);
}
