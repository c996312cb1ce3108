// API_SOURCE
import { Readable } from "node:stream";
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { csvLines, renderPdf } from "./documents.ts";
import {
  findInvoice,
  type Invoice,
  type InvoiceLine,
  invoicesOfYear,
  nextNumber,
  saveInvoice,
  toRow,
} from "./invoices.ts";

interface NewInvoice {
  customerNumber: string;
  customerName: string;
  lines: InvoiceLine[];
  dueOn: string;
}

interface Delivery {
  message?: string;
  cc?: string[];
}

declare function mail(invoice: Invoice, delivery: Delivery): Promise<void>;

function invoiceOf(e: RequestEvent<"number">): Invoice {
  const invoice = findInvoice(e.pathValue("number"));
  if (!invoice) throw e.error(404, "There is no such invoice.");
  return invoice;
}

function yearOf(e: RequestEvent): number {
  const year = Number(e.query("year"));
  if (!Number.isInteger(year) || year < 2000 || year > 2100)
    throw e.error(400, "year must be a year such as 2026.");
  return year;
}

/** Exports the invoices of a year, for a spreadsheet or for a program. */
function exportInvoices(e: RequestEvent) {
  const rows = invoicesOfYear(yearOf(e)).map(toRow);
  const format = e.query("format") ?? "csv";
  switch (format) {
    case "csv":
      return e.stream(200, "text/csv", Readable.from(csvLines(rows)));
    case "json":
      return e.json(200, rows);
    default:
      throw e.error(400, "The formats are csv and json.");
  }
}

/** Writes an invoice. */
async function createInvoice(e: RequestEvent) {
  const { customerNumber, customerName, lines, dueOn } = await e.bindBody<NewInvoice>();
  const customer = { number: customerNumber, name: customerName };
  const issuedOn = new Date().toISOString().slice(0, 10);
  const invoice: Invoice = { number: nextNumber(), customer, lines, issuedOn, dueOn, paidAt: null };
  saveInvoice(invoice);
  e.setHeader("Location", `/invoices/${invoice.number}`);
  return e.json(201, invoice);
}

/** Returns one invoice. */
async function getInvoice(e: RequestEvent<"number">) {
  return e.json(200, invoiceOf(e));
}

/** Returns an invoice as PDF, to be saved. */
async function downloadInvoice(e: RequestEvent<"number">) {
  const invoice = invoiceOf(e);
  const pdf = await renderPdf(invoice);
  e.setHeader("Content-Disposition", `attachment; filename="${invoice.number}.pdf"`);
  return e.bytes(200, "application/pdf", pdf);
}

/** Sends an invoice to its customer. A message and copies are optional, and so is the whole body. */
async function sendInvoice(e: RequestEvent<"number">) {
  const invoice = invoiceOf(e);
  if (invoice.paidAt !== null) throw e.error(409, "The invoice is paid.");
  let delivery: Delivery = {};
  try {
    delivery = await e.bindBody<Delivery>();
  } catch {
    // Most callers send nothing.
  }
  await mail(invoice, delivery);
  return e.json(202, { number: invoice.number, sentAt: new Date().toISOString() });
}

export function routes(router: VersionedRouter): void {
  router.get("/exports/invoices", exportInvoices);
  router.post("/invoices", createInvoice);
  router.get("/invoices/{number}", getInvoice);
  router.get("/invoices/{number}/pdf", downloadInvoice);
  router.post("/invoices/{number}/send", sendInvoice);
}
