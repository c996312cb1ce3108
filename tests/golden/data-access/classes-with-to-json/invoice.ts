import { Money } from "./money.ts";

export class InvoiceLine {
  readonly description: string;
  readonly quantity: number;
  readonly unitPrice: Money;

  constructor(description: string, quantity: number, unitPrice: Money) {
    this.description = description;
    this.quantity = quantity;
    this.unitPrice = unitPrice;
  }

  get total(): Money {
    return this.unitPrice.times(this.quantity);
  }
}

export class Invoice {
  readonly id: string;
  readonly issuedOn: Date;
  readonly lines: readonly InvoiceLine[];
  paidOn: Date | null = null;
  readonly #reviewedBy: string;

  constructor(id: string, issuedOn: Date, lines: readonly InvoiceLine[], reviewedBy: string) {
    this.id = id;
    this.issuedOn = issuedOn;
    this.lines = lines;
    this.#reviewedBy = reviewedBy;
  }

  get total(): Money {
    return this.lines.reduce((sum, line) => sum.plus(line.total), new Money(0, "EUR"));
  }

  wasReviewedBy(name: string): boolean {
    return this.#reviewedBy === name;
  }

  pay(when: Date): void {
    this.paidOn = when;
  }

  toJSON() {
    return {
      id: this.id,
      issuedOn: this.issuedOn,
      paidOn: this.paidOn,
      lines: this.lines,
      total: this.total,
    };
  }
}
