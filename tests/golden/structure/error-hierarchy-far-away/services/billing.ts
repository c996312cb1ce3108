import type { InvoiceNumber } from "../domain/invoice-number.ts";
import { AlreadyPaid, InvoiceLocked } from "../errors.ts";
import { type Invoice, InvoiceRepository, type Payment, paidOf } from "../repositories/invoices.ts";

export interface OpenInvoice {
  number: string;
  outstanding: number;
  due: Date;
}

class Billing {
  private readonly invoices: InvoiceRepository;

  constructor(invoices: InvoiceRepository) {
    this.invoices = invoices;
  }

  async openInvoices(overdueOnly: boolean): Promise<OpenInvoice[]> {
    const now = new Date();
    const open = await this.invoices.open();
    return open
      .filter(({ due }) => !overdueOnly || due < now)
      .map(({ number, total, payments, due }) => ({ number, outstanding: total - paidOf(payments), due }));
  }

  invoice(number: InvoiceNumber): Promise<Invoice> {
    return this.invoices.byNumber(number);
  }

  async pay(number: InvoiceNumber, amount: number, method: Payment["method"]): Promise<Payment> {
    const invoice = await this.invoices.byNumber(number);
    this.assertPayable(invoice);
    const payment: Payment = { amount, method, paidAt: new Date() };
    invoice.payments.push(payment);
    return payment;
  }

  private assertPayable(invoice: Invoice): void {
    if (invoice.locked) throw new InvoiceLocked(invoice.number);
    if (paidOf(invoice.payments) >= invoice.total) throw new AlreadyPaid(invoice.number);
  }
}

export const billing = new Billing(new InvoiceRepository());
