// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

class Base {
  id = "1";
}

class User extends Base {
  name: string;
  private secret = "s";
  protected inner = 1;
  #hidden = true;
  static count = 0;
  readonly created = new Date();
  nickname?: string;

  constructor(name: string) {
    super();
    this.name = name;
  }

  rename(name: string): void {
    this.name = name;
    this.#hidden = this.secret === name && this.inner > 0;
  }

  get isHidden(): boolean {
    return this.#hidden;
  }
}

class Money {
  readonly cents: number;

  constructor(cents: number) {
    this.cents = cents;
  }

  toJSON() {
    return { amount: (this.cents / 100).toFixed(2), currency: "EUR" };
  }
}

function getUser(e: RequestEvent) {
  return e.json(200, new User("Ann"));
}

function getPrice(e: RequestEvent) {
  return e.json(200, { price: new Money(100) });
}

export function routes(router: VersionedRouter): void {
  router.get("/user", getUser);
  router.get("/price", getPrice);
}
