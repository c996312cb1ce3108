// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { readPaging } from "./paging.ts";

interface Invoice {
  id: string;
  customer: string;
  amount: number;
  dueOn: Date;
  paid: boolean;
}

declare const invoices: {
  ofCustomer(customer: string, offset: number, limit: number): Promise<{ rows: Invoice[]; total: number }>;
  overdueSince(day: Date): Promise<Invoice[]>;
};

/** Lists the invoices of a customer, newest first. Cancelled invoices are left out. */
async function listCustomerInvoices(e: RequestEvent<"customerId">) {
  const { page, perPage } = readPaging(e);
  const found = await invoices.ofCustomer(e.pathValue("customerId"), (page - 1) * perPage, perPage);
  return e.json(200, { items: found.rows, total: found.total });
}

const graceDays = (e: RequestEvent) => {
  const raw = e.query("grace_days");
  if (raw === undefined || raw === "") {
    return 14;
  }
  return Number(raw);
};

async function listOverdueInvoices(e: RequestEvent) {
  const day = new Date();
  day.setDate(day.getDate() - graceDays(e));
  return e.json(200, await invoices.overdueSince(day));
}

export function routes(router: VersionedRouter): void {
  router.get("/customers/{customerId}/invoices", listCustomerInvoices);
  router.get("/invoices/overdue", listOverdueInvoices);
}
