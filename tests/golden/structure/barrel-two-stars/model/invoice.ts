export interface Invoice {
  number: string;
  orderId: string;
  amount: number;
  due: Date;
  paidAt: Date | null;
}

const invoices: Invoice[] = [];

export function invoiceByNumber(number: string): Invoice | undefined {
  return invoices.find((invoice) => invoice.number === number);
}
