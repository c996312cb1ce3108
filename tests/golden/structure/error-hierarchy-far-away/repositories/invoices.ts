import type { InvoiceNumber } from "../domain/invoice-number.ts";
import { Table } from "../store/table.ts";

export interface Payment {
  amount: number;
  method: "card" | "transfer";
  paidAt: Date;
}

export interface Invoice {
  number: string;
  total: number;
  due: Date;
  locked: boolean;
  payments: Payment[];
}

export class InvoiceRepository {
  private readonly table = new Table<Invoice>("invoice");

  async open(): Promise<Invoice[]> {
    return this.table.all().filter(({ total, payments }) => paidOf(payments) < total);
  }

  async byNumber(number: InvoiceNumber): Promise<Invoice> {
    return this.table.require(number.text);
  }
}

export function paidOf(payments: Payment[]): number {
  return payments.reduce((sum, { amount }) => sum + amount, 0);
}
