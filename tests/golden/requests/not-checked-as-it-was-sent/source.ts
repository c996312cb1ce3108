// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

const CURRENCIES = new Set(["EUR", "USD", "CHF"]);

interface Transfer {
  id: string;
  amount: number;
  bookedOn: Date;
}

declare const transfers: {
  list(account: string | undefined, currency: string, offset: number, size: number): Promise<Transfer[]>;
  search(text: string): Promise<Transfer[]>;
};

function currencyOf(e: RequestEvent): string {
  const currency = (e.query("currency") ?? "EUR").toUpperCase();
  if (!CURRENCIES.has(currency)) throw e.error(400, "We do not keep accounts in this currency.");
  return currency;
}

function accountOf(e: RequestEvent): string | undefined {
  // People paste account numbers in groups of four.
  const account = e.query("account")?.replaceAll(" ", "");
  if (account !== undefined && !/^[A-Z]{2}\d{20}$/.test(account))
    throw e.error(400, "That is no account number.");
  return account;
}

async function listTransfers(e: RequestEvent) {
  const page = Number(e.query("page") ?? "1");
  const size = Number(e.query("size") ?? "50");
  const offset = (page - 1) * size;
  if (offset > 10_000) throw e.error(422, "Narrow your search instead of turning so many pages.");
  return e.json(200, await transfers.list(accountOf(e), currencyOf(e), offset, size));
}

async function searchTransfers(e: RequestEvent) {
  const raw = e.query("text");
  if (raw === undefined) throw e.error(400, "Search for what?");
  const words = raw.trim().replace(/\s+/g, " ");
  if (words.length > 80) throw e.error(400, "That is too long.");
  return e.json(200, await transfers.search(words));
}

export function routes(router: VersionedRouter): void {
  router.get("/transfers", listTransfers);
  router.get("/transfers/search", searchTransfers);
}
