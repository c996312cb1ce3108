export abstract class DomainError extends Error {}

export abstract class NotFound extends DomainError {}

export class UnknownProduct extends NotFound {
  constructor(id: string) {
    super(`There is no product ${id}.`);
  }
}

export class UnknownBasket extends NotFound {
  constructor(id: string) {
    super(`There is no basket ${id}.`);
  }
}

export class OutOfStock extends DomainError {
  readonly available: number;

  constructor(available: number) {
    super(`Only ${available} are left.`);
    this.available = available;
  }
}
