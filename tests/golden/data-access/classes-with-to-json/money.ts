export class Money {
  readonly #cents: number;
  readonly currency: string;

  constructor(cents: number, currency: string) {
    this.#cents = cents;
    this.currency = currency;
  }

  get amount(): number {
    return this.#cents / 100;
  }

  plus(other: Money): Money {
    return new Money(this.#cents + other.#cents, this.currency);
  }

  times(factor: number): Money {
    return new Money(this.#cents * factor, this.currency);
  }

  toJSON() {
    return { amount: this.amount, currency: this.currency };
  }
}
