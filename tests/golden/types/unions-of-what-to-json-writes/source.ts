// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare class Amount {
  private readonly cents: number | undefined;
  toJSON(): string | null;
}

declare class Card {
  private readonly number: string;
  toJSON(): { kind: "card"; lastDigits: string } | null;
}

declare class Account {
  private readonly iban: string;
  toJSON(): { kind: "account"; bank: string } | null;
}

declare class Legacy {
  private readonly raw: string;
  toJSON(): {};
}

declare class Draft {
  private readonly text: string;
  toJSON(): string | undefined;
}

/** What a class writes may be null already, or anything: then its alternatives are not told apart. */
interface Payment {
  total: Amount;
  discount: Amount | null;
  /** What goes to the state. */
  tax: Amount | null;
  parts: (Amount | undefined)[];
  paidBy: Card | Account;
  refundedTo: Card | Account | null;
  reference: string | Legacy;
  origin: Legacy | null;
  remark: Draft;
  remarks: Draft[];
  draft: Draft | number;
}

declare function find(): Payment;

function getPayment(e: RequestEvent) {
  return e.json(200, find());
}

export function routes(router: VersionedRouter): void {
  router.get("/payment", getPayment);
}
