// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

type Locale = "en" | "de" | "fr";
type Status = "draft" | "live" | "archived" | "deleted";

interface Product {
  sku: string;
  name: string;
  description?: string;
  price: number;
  stock: number;
  supplierId: string;
  status: Status;
  names: Partial<Record<Locale, string>>;
  dimensions?: { width: number; height: number; depth?: number } | null;
}

type PublicProduct = Omit<Product, "supplierId" | "stock" | "status"> & {
  status: Exclude<Status, "deleted">;
};
type ProductCard = Readonly<Pick<Product, "sku" | "name" | "price">>;
type Dimensions = Required<NonNullable<Product["dimensions"]>>;
type Labels = Record<Locale, string>;
type Stage = Extract<Status, "draft" | "live" | "sold-out">;

const products = new Map<string, Product>();

function visible(product: Product): PublicProduct | undefined {
  const { supplierId, stock, status, ...rest } = product;
  return status === "deleted" ? undefined : { ...rest, status };
}

function findVisible(e: RequestEvent<"sku">): PublicProduct {
  const product = products.get(e.pathValue("sku"));
  const found = product && visible(product);
  if (!found) throw e.error(404, "There is no such product.");
  return found;
}

function listProducts(e: RequestEvent) {
  const cards: ProductCard[] = [...products.values()].map(({ sku, name, price }) => ({ sku, name, price }));
  return e.json(200, cards);
}

function getProduct(e: RequestEvent<"sku">) {
  return e.json(200, findVisible(e));
}

function getDimensions(e: RequestEvent<"sku">) {
  const { dimensions } = findVisible(e);
  if (!dimensions) throw e.error(409, "This product has not been measured yet.");
  const complete: Dimensions = { depth: 0, ...dimensions };
  return e.json(200, complete);
}

function getLabels(e: RequestEvent<"sku">) {
  const { name, names } = findVisible(e);
  const labels: Labels = { en: name, de: names.de ?? name, fr: names.fr ?? name };
  return e.json(200, labels);
}

function countByStage(e: RequestEvent) {
  const counts: Record<Stage, number> = { draft: 0, live: 0 };
  for (const { status } of products.values()) {
    if (status === "draft" || status === "live") counts[status]++;
  }
  return e.json(200, counts);
}

export function routes(router: VersionedRouter): void {
  router.get("/products", listProducts);
  router.get("/products/{sku}", getProduct);
  router.get("/products/{sku}/dimensions", getDimensions);
  router.get("/products/{sku}/labels", getLabels);
  router.get("/stages", countByStage);
}
