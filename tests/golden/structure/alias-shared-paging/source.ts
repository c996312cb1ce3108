// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { type Paging, pagingOf } from "@shared/paging";
import { listing } from "./listing.ts";

interface Part {
  sku: string;
  title: string;
  onHand: number;
}

interface Supplier {
  id: string;
  name: string;
  country: string | null;
}

const parts: Part[] = [];
const suppliers: Supplier[] = [];

function window<Row>(rows: Row[], paging: Paging): Row[] {
  return rows.slice((paging.page - 1) * 20, paging.page * 20);
}

/** List the spare parts in stock. */
export function listParts(e: RequestEvent) {
  const paging = pagingOf(e);
  const inStock = e.query("inStock") === "true" ? parts.filter((part) => part.onHand > 0) : parts;
  return e.json(200, { paging, parts: window(inStock, paging) });
}

export function listSuppliers(e: RequestEvent) {
  const country = e.query("country");
  if (country !== undefined && !/^[A-Z]{2}$/.test(country)) {
    throw e.error(400, "A country is two capital letters.");
  }
  return e.json(
    200,
    listing(e, country ? suppliers.filter((other) => other.country === country) : suppliers),
  );
}

export function routes(router: VersionedRouter): void {
  router.get("/parts", listParts);
  router.get("/suppliers", listSuppliers);
}
