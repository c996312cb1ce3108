import type { RequestEvent } from "../../../../src/index.ts";

export const SORTS = ["relevance", "price", "newest"] as const;
export type Sort = (typeof SORTS)[number];

export interface SearchQuery {
  text: string;
  brands: string[];
  minPrice: number | undefined;
  maxPrice: number | undefined;
  inStock: boolean;
  sort: Sort;
  offset: number;
  limit: number;
}

const isSort = (value: string): value is Sort => (SORTS as readonly string[]).includes(value);

function price(e: RequestEvent, name: string): number | undefined {
  const raw = e.query(name);
  if (raw === undefined) return undefined;
  const amount = Number(raw);
  if (Number.isNaN(amount) || amount < 0) throw e.error(400, `${name} must be a price.`);
  return amount;
}

export function limitOf(e: RequestEvent, fallback: number): number {
  const limit = e.query("limit");
  if (!limit) return fallback;
  return Math.min(Number.parseInt(limit, 10), 100);
}

export function readSearch(e: RequestEvent): SearchQuery {
  const text = e.query("q");
  if (!text) throw e.error(400, "Tell what to search for.");
  if (text.length > 120) throw e.error(400, "Search for something shorter.");
  const sort = e.query("sort") ?? "relevance";
  if (!isSort(sort)) throw e.error(400, `Sort by one of ${SORTS.join(", ")}.`);
  const offset = Number(e.query("offset") ?? 0);
  if (!Number.isInteger(offset) || offset < 0) throw e.error(400, "offset must be 0 or more.");
  return {
    text,
    brands: e.queryAll("brand"),
    minPrice: price(e, "min_price"),
    maxPrice: price(e, "max_price"),
    inStock: e.query("in_stock") === "true",
    sort,
    offset,
    limit: limitOf(e, 24),
  };
}
