// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { limitOf, readSearch, type SearchQuery } from "./query.ts";

interface Hit {
  sku: string;
  title: string;
  brand: string;
  price: number;
  image?: string;
  score: number;
}

interface FacetValue {
  value: string;
  count: number;
  selected: boolean;
}

interface SearchPage {
  hits: Hit[];
  total: number;
  facets: Record<string, FacetValue[]>;
  correctedTo?: string;
}

interface Category {
  id: string;
  name: string;
  parents: string[];
}

interface SearchIndex {
  search(query: SearchQuery): Promise<SearchPage>;
  complete(prefix: string, limit: number): Promise<string[]>;
  category(id: string): Promise<Category | null>;
  facetsOf(category: Category): Promise<FacetValue[]>;
  similar(sku: string, limit: number): Promise<Hit[]>;
}

declare const index: SearchIndex;

/** Searches the catalogue. */
async function searchProducts(e: RequestEvent) {
  const query = readSearch(e);
  const { minPrice, maxPrice } = query;
  if (minPrice !== undefined && maxPrice !== undefined && minPrice > maxPrice) {
    throw e.error(400, "The lowest price is above the highest.");
  }
  const page = await index.search(query);
  return e.json(200, { ...page, answeredAt: new Date().toISOString() });
}

/** Completes what somebody is typing. */
async function suggest(e: RequestEvent) {
  const prefix = e.query("prefix");
  if (prefix === undefined || prefix.length < 2) throw e.error(400, "Type at least two letters.");
  e.setHeader("Cache-Control", "public, max-age=300");
  return e.json(200, await index.complete(prefix, limitOf(e, 10)));
}

/** Returns the filters of a category. */
async function categoryFacets(e: RequestEvent<"category">) {
  const category = await index.category(e.pathValue("category"));
  if (category === null) throw e.error(404, "There is no such category.");
  return e.json(200, { category, brands: await index.facetsOf(category) });
}

/** Finds articles that are like another one. */
async function similarProducts(e: RequestEvent<"sku">) {
  const hits = await index.similar(e.pathValue("sku"), Number(e.query("count") || "6") || 6);
  if (hits.length === 0) return e.noContent();
  return e.json(
    200,
    hits.map(({ sku, title, price }) => ({ sku, title, price })),
  );
}

export function routes(router: VersionedRouter): void {
  router.get("/search", searchProducts);
  router.get("/suggestions", suggest);
  router.get("/categories/{category}/facets", categoryFacets);
  router.get("/products/{sku}/similar", similarProducts);
}
