// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Sale {
  id: string;
  region: string;
  product: string;
  amount: number;
  soldAt: Date;
  note?: string;
}

interface SaleView {
  id: string;
  amount: number;
  note?: string;
  related?: { id: string; amount: number }[];
}

declare function loadSales(): Promise<Sale[]>;

async function totalsByRegion(e: RequestEvent) {
  const totals: Record<string, number> = {};
  for (const sale of await loadSales()) {
    totals[sale.region] = (totals[sale.region] ?? 0) + sale.amount;
  }
  return e.json(200, totals);
}

async function salesMatrix(e: RequestEvent) {
  const matrix: { [region: string]: { [product: string]: number } } = {};
  for (const { region, product, amount } of await loadSales()) {
    const row = (matrix[region] ??= {});
    row[product] = (row[product] ?? 0) + amount;
  }
  return e.json(200, { matrix, regions: Object.keys(matrix) });
}

async function listLines(e: RequestEvent) {
  const lines = [];
  for (const sale of await loadSales()) {
    if (sale.amount === 0) continue;
    lines.push({ label: `${sale.region}: ${sale.product}`, amount: sale.amount, soldAt: sale.soldAt });
  }
  return e.json(200, lines);
}

async function getSale(e: RequestEvent<"id">) {
  const sales = await loadSales();
  const sale = sales.find((one) => one.id === e.pathValue("id"));
  if (!sale) throw e.error(404, "There is no such sale.");
  const view: SaleView = { id: sale.id, amount: sale.amount };
  if (sale.note) view.note = sale.note;
  if (e.query("related") === "true") {
    view.related = [];
    for (const other of sales) {
      if (other.product === sale.product) view.related.push({ id: other.id, amount: other.amount });
    }
  }
  return e.json(200, view);
}

async function notesByProduct(e: RequestEvent) {
  const notes: Record<string, string[]> = {};
  for (const { product, note } of await loadSales()) {
    if (note === undefined) continue;
    notes[product] ??= [];
    notes[product].push(note);
  }
  const products = Object.keys(notes);
  return e.json(200, { products: products.length, notes });
}

export function routes(router: VersionedRouter): void {
  router.get("/totals", totalsByRegion);
  router.get("/matrix", salesMatrix);
  router.get("/lines", listLines);
  router.get("/sales/{id}", getSale);
  router.get("/notes", notesByProduct);
}
