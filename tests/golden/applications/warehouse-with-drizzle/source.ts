// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import {
  findProduct,
  findProducts,
  insertProduct,
  shelvesOf,
  stockList,
  updateProduct,
} from "./repository.ts";
import type { NewProduct, ProductChanges } from "./schema.ts";

const NOT_FOUND = "There is no such product.";

/** Lists products. */
export async function listProducts(e: RequestEvent) {
  const status = e.query("status") ?? "active";
  if (status !== "draft" && status !== "active" && status !== "retired")
    throw e.error(400, "There is no such status.");
  const limit = Number.parseInt(e.query("limit") ?? "50", 10);
  if (Number.isNaN(limit) || limit < 1 || limit > 500) throw e.error(400, "limit is 1 to 500.");
  return e.json(200, await findProducts(e.query("name"), status, limit));
}

/** Adds a product. */
export async function addProduct(e: RequestEvent) {
  const created = await insertProduct(await e.bindBody<NewProduct>());
  if (!created) throw e.error(409, "The SKU is taken.");
  e.setHeader("Location", `/products/${created.id}`);
  return e.json(201, created);
}

/** Changes a product. */
export async function changeProduct(e: RequestEvent<"id">) {
  const changes = await e.bindBody<ProductChanges>();
  const updated = await updateProduct(e.pathValue("id"), changes);
  if (!updated) throw e.error(404, NOT_FOUND);
  return e.json(200, updated);
}

/** Tells on which shelves a product lies. */
export async function findShelves(e: RequestEvent<"id">) {
  const product = await findProduct(e.pathValue("id"));
  if (!product) throw e.error(404, NOT_FOUND);
  const shelves = await shelvesOf(product.id);
  return e.json(200, { name: product.name, shelves, isStored: shelves.length > 0 });
}

/** Returns everything that is in stock, and what is not. */
export async function takeStock(e: RequestEvent) {
  return e.json(200, await stockList());
}

export function routes(router: VersionedRouter): void {
  router.get("/products", listProducts);
  router.post("/products", addProduct);
  router.patch("/products/{id}", changeProduct);
  router.get("/products/{id}/shelves", findShelves);
  router.get("/stock", takeStock);
}
