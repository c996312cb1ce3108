// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import type { Invoice } from "./invoice.ts";

class InvoiceBook {
  readonly #invoices = new Map<string, Invoice>();

  get(id: string): Invoice | undefined {
    return this.#invoices.get(id);
  }

  all(): Invoice[] {
    return [...this.#invoices.values()];
  }
}

const book = new InvoiceBook();

function find(e: RequestEvent<"id">): Invoice {
  const invoice = book.get(e.pathValue("id"));
  if (!invoice) throw e.error(404, "There is no such invoice.");
  return invoice;
}

function getInvoice(e: RequestEvent<"id">) {
  return e.json(200, find(e));
}

function listLines(e: RequestEvent<"id">) {
  const { lines } = find(e);
  return e.json(200, { count: lines.length, lines });
}

function getTotal(e: RequestEvent<"id">) {
  return e.json(200, find(e).total);
}

function payInvoice(e: RequestEvent<"id">) {
  const invoice = find(e);
  if (invoice.paidOn) throw e.error(409, "This invoice is paid already.");
  invoice.pay(new Date());
  return e.json(200, invoice.toJSON());
}

function listTotals(e: RequestEvent) {
  const totals = book.all().map((invoice) => ({ id: invoice.id, total: invoice.total.amount }));
  return e.json(200, totals);
}

export function routes(router: VersionedRouter): void {
  router.get("/invoices/{id}", getInvoice);
  router.get("/invoices/{id}/lines", listLines);
  router.get("/invoices/{id}/total", getTotal);
  router.post("/invoices/{id}/payment", payInvoice);
  router.get("/totals", listTotals);
}
