// API_SOURCE
import { z } from "zod";
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

const Range = z.object({ from: z.iso.date(), to: z.iso.date() });

interface Sale {
  day: string;
  total: number;
}

declare const sales: {
  all(): Promise<Sale[]>;
  between(range: z.infer<typeof Range>): Promise<Sale[]>;
};

/** The range counts only if it was asked for. */
async function listSales(e: RequestEvent) {
  if (e.query("all") === "true") return e.json(200, await sales.all());
  return e.json(200, await sales.between(await e.bindQuery(Range)));
}

/** A range that is not valid is ignored. */
async function listRecentSales(e: RequestEvent) {
  try {
    return e.json(200, await sales.between(await e.bindQuery(Range)));
  } catch {
    return e.json(200, await sales.all());
  }
}

/** A range that is not valid is refused with a status of the application. */
async function exportSales(e: RequestEvent) {
  const range = await e.bindQuery(Range).catch(() => {
    throw e.error(422, "The range is not valid.");
  });
  return e.json(200, await sales.between(range));
}

async function rangeOf(e: RequestEvent) {
  return e.bindQuery(Range);
}

/** The range is read in a helper. */
async function sumSales(e: RequestEvent) {
  const found = await sales.between(await rangeOf(e));
  return e.json(200, { total: found.reduce((sum, { total }) => sum + total, 0) });
}

export function routes(router: VersionedRouter): void {
  router.get("/sales", listSales);
  router.get("/sales/recent", listRecentSales);
  router.get("/sales/export", exportSales);
  router.get("/sales/sum", sumSales);
}
