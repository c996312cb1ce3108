// API_SOURCE
import type { RequestEvent } from "../../../../src/index.ts";

export interface Account {
  login: string;
}

declare function find(): Account;

export function getPersonAccount(e: RequestEvent) {
  return e.json(200, { account: find() });
}
