// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { InvoiceRepository, type InvoiceWithParts } from "./invoice-repository.ts";
import { prisma } from "./prisma-client.ts";

const PAGE_SIZE = 50;

const invoices = new InvoiceRepository(prisma);

function toDto(invoice: InvoiceWithParts) {
  return {
    id: invoice.id,
    number: invoice.number,
    status: invoice.status,
    issuedAt: invoice.issuedAt,
    paidAt: invoice.paidAt,
    customer: invoice.customer,
    lines: invoice.lines.map((line) => ({
      description: line.description,
      quantity: line.quantity,
      unitPrice: line.unitPrice.toNumber(),
    })),
    total: invoice.total.toFixed(2),
  };
}

async function listInvoices(e: RequestEvent) {
  const page = Number(e.query("page") ?? "1");
  const { rows, total } = await invoices.page(page, PAGE_SIZE);
  return e.json(200, {
    items: rows.map(toDto),
    total,
    pages: Math.ceil(total / PAGE_SIZE),
  });
}

async function getInvoice(e: RequestEvent<"id">) {
  const invoice = await invoices.find(e.pathValue("id"));
  if (!invoice) throw e.error(404, "There is no such invoice.");
  return e.json(200, toDto(invoice));
}

// The row as it is: the client of the accounting software wants all of it.
async function exportInvoice(e: RequestEvent<"id">) {
  const row = await invoices.raw(e.pathValue("id"));
  if (row === null) throw e.error(404, "There is no such invoice.");
  return e.json(200, row);
}

export function routes(router: VersionedRouter): void {
  router.get("/invoices", listInvoices);
  router.get("/invoices/{id}", getInvoice);
  router.get("/invoices/{id}/raw", exportInvoice);
}
