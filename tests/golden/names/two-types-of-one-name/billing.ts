// API_SOURCE
import type { RequestEvent } from "../../../../src/index.ts";

export interface Account {
  iban: string;
}

declare function find(): Account;

export function getBillingAccount(e: RequestEvent) {
  return e.json(200, { account: find() });
}
