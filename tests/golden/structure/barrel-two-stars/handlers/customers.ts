// API_SOURCE
import type { RequestEvent } from "../../../../../src/index.ts";
import { customersLike } from "../model/index.ts";

export function listCustomers(e: RequestEvent) {
  const search = e.query("search");
  if (search !== undefined && search.length > 80) {
    throw e.error(400, "A search has at most 80 characters.");
  }
  const limit = Math.min(Number(e.query("limit") ?? 20), 100);
  return e.json(200, customersLike(search, limit));
}
