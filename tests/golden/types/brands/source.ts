// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare const brand: unique symbol;
type Branded<T, B extends string> = T & { readonly [brand]: B };
type UserId = Branded<string, "UserId">;
type Cents = number & { readonly __brand: "Cents" };

interface Account {
  id: UserId;
  balance: Cents;
  friends: UserId[];
}

declare function find(): Account;

function getAccount(e: RequestEvent) {
  return e.json(200, find());
}

export function routes(router: VersionedRouter): void {
  router.get("/account", getAccount);
}
