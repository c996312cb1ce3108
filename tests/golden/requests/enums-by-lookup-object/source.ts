// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

const SORT_COLUMNS: Record<string, string> = {
  name: "p.name",
  price: "p.price_cents",
  newest: "p.created_at",
};

const STOCK_FILTERS = {
  in_stock: "p.stock > 0",
  sold_out: "p.stock = 0",
  any: "true",
} as const;

const RATES = { EUR: 1, USD: 1.09, GBP: 0.85 } as const;

const PLAIN_LABEL = "label-plain.svg";
const LABELS: Record<string, string> = { organic: "label-leaf.svg", fair: "label-hands.svg" };

interface Product {
  id: string;
  name: string;
  price: number;
}

declare function queryProducts(where: string, orderBy: string): Promise<Product[]>;
declare function findProduct(id: string): Promise<Product | undefined>;

function isCurrency(value: string): value is keyof typeof RATES {
  return Object.hasOwn(RATES, value);
}

function whereStock(e: RequestEvent): string {
  const stock = e.query("stock") ?? "any";
  if (!(stock in STOCK_FILTERS)) throw e.error(400, "There is no such filter.");
  return STOCK_FILTERS[stock as keyof typeof STOCK_FILTERS];
}

const listProducts = async (e: RequestEvent) => {
  const column = SORT_COLUMNS[e.query("sort") ?? "newest"];
  if (!column) throw e.error(400, "Products cannot be sorted by that.");
  return e.json(200, await queryProducts(whereStock(e), column));
};

const getProductPrice = async (e: RequestEvent<"id">) => {
  const currency = e.query("currency");
  if (currency === undefined || !isCurrency(currency)) throw e.error(400, "We do not sell in this currency.");
  const product = await findProduct(e.pathValue("id"));
  if (!product) throw e.error(404, "There is no such product.");
  return e.json(200, { price: product.price * RATES[currency] });
};

const getProductLabel = (e: RequestEvent<"id">) => {
  // A label that we do not have is printed plain.
  const file = LABELS[e.query("label") ?? "organic"] ?? PLAIN_LABEL;
  return e.redirect(302, `/static/${e.pathValue("id")}/${file}`);
};

export function routes(router: VersionedRouter): void {
  router.get("/products", listProducts);
  router.get("/products/{id}/price", getProductPrice);
  router.get("/products/{id}/label", getProductLabel);
}
