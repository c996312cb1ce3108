// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { readFilters, readSortField } from "./reading.ts";

interface Sale {
  id: string;
  region: string;
  amount: number;
  soldAt: Date;
}

declare function querySales(
  filters: string[],
  order: { field: string; direction: "asc" | "desc" }[],
): Promise<Sale[]>;

const DIMENSIONS = ["region", "product"];

/** Search the sales, with up to three filters. */
export async function searchSales(e: RequestEvent) {
  const sales = await querySales(readFilters(e), readSortField(e, 1));
  return e.json(200, sales);
}

/** Reads `min_<dimension>` for one dimension after the other. */
function readMinimums(e: RequestEvent, [dimension, ...rest]: string[]): Map<string, number> {
  if (dimension === undefined) return new Map();
  const minimums = readMinimums(e, rest);
  const text = e.query(`min_${dimension}`);
  if (text !== undefined) minimums.set(dimension, Number(text));
  return minimums;
}

/** Sum up the sales by dimension. */
export async function sumSales(e: RequestEvent) {
  const minimums = readMinimums(e, DIMENSIONS);
  const sales = await querySales([], []);
  const sums: Record<string, number> = {};
  for (const { region, amount } of sales) sums[region] = (sums[region] ?? 0) + amount;
  for (const [name, least] of minimums) {
    if ((sums[name] ?? 0) < least) delete sums[name];
  }
  return e.json(200, sums);
}

export function routes(router: VersionedRouter): void {
  router.get("/sales", searchSales);
  router.get("/sales/sums", sumSales);
}
