export interface InvoiceLine {
  text: string;
  quantity: number;
  net: number;
  vatRate: number;
}

export interface Invoice {
  number: string;
  customer: { number: string; name: string; vatId?: string };
  lines: InvoiceLine[];
  issuedOn: string;
  dueOn: string;
  paidAt: Date | null;
}

export type InvoiceRow = { number: string; customer: string; gross: number; paid: boolean };

const invoices = new Map<string, Invoice>();

export function findInvoice(number: string): Invoice | undefined {
  return invoices.get(number);
}

export function invoicesOfYear(year: number): Invoice[] {
  return [...invoices.values()].filter((invoice) => invoice.issuedOn.startsWith(`${year}-`));
}

export function saveInvoice(invoice: Invoice): void {
  invoices.set(invoice.number, invoice);
}

export const nextNumber = () => `R-${String(invoices.size + 1).padStart(6, "0")}`;

export function gross(invoice: Invoice): number {
  return invoice.lines.reduce((sum, line) => sum + line.quantity * line.net * (1 + line.vatRate), 0);
}

export function toRow(invoice: Invoice): InvoiceRow {
  return {
    number: invoice.number,
    customer: invoice.customer.name,
    gross: gross(invoice),
    paid: invoice.paidAt !== null,
  };
}
