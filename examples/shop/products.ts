// API_SOURCE
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type RequestEvent, type Router, requireAuth, type UploadedFile } from "../../src/index.ts";
import { type ProductRow, tablesOf } from "./tables.ts";

export interface Product {
  id: string;
  name: string;
  description: string;
  price_cents: number;
  stock: number;
  has_photo: boolean;
}

interface NewProduct {
  /** @minLength 1 @maxLength 100 */
  name: string;
  /** @maxLength 2000 */
  description: string;
  /**
   * @integer
   * @minimum 1
   */
  price_cents: number;
  /**
   * @integer
   * @minimum 0
   */
  stock: number;
}

const ProductQuery = z.object({
  q: z.string().max(100).optional(),
  max_price_cents: z.coerce.number().int().min(1).optional(),
  page: z.coerce.number().int().min(1).default(1),
});

const perPage = 20;

// API_DESC Lists products, with the cheapest first.
// API_TAGS products
async function listProducts(e: RequestEvent) {
  const { q, max_price_cents, page } = await e.bindQuery(ProductQuery);
  let select = (await tablesOf(e)).selectFrom("products").selectAll();
  if (q) select = select.where("name", "like", `%${q}%`);
  if (max_price_cents !== undefined) select = select.where("price_cents", "<=", max_price_cents);
  const rows = await select
    .orderBy("price_cents")
    .orderBy("id")
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute();
  return e.json(200, { page, items: rows.map(toProduct) });
}

// API_DESC Returns one product.
// API_TAGS products
async function getProduct(e: RequestEvent<"id">) {
  return e.json(200, toProduct(await findProduct(e)));
}

// API_DESC Adds a product.
// API_TAGS products
async function addProduct(e: RequestEvent) {
  const product = await e.bindBody<NewProduct>();
  const row: ProductRow = { id: randomUUID(), ...product, photo: null, photo_type: null };
  await (await tablesOf(e)).insertInto("products").values(row).execute();
  return e.json(201, toProduct(row));
}

// API_DESC Replaces the photo of a product.
// API_TAGS products
async function putPhoto(e: RequestEvent<"id">) {
  const { photo } = await e.bindBody<{ photo: UploadedFile }>();
  if (photo.type !== "image/png" && photo.type !== "image/jpeg")
    throw e.error(400, "Upload a PNG or JPEG file in the field photo.");
  const { id } = await findProduct(e);
  const tables = await tablesOf(e);
  await tables
    .updateTable("products")
    .set({ photo: await photo.bytes(), photo_type: photo.type })
    .where("id", "=", id)
    .execute();
  return e.noContent();
}

// API_DESC Returns the photo of a product.
// API_TAGS products
async function getPhoto(e: RequestEvent<"id">) {
  const { photo, photo_type } = await findProduct(e);
  if (photo === null) throw e.error(404, "This product has no photo.");
  return e.bytes(200, photo_type === "image/png" ? "image/png" : "image/jpeg", photo);
}

export function mountProducts(router: Router): void {
  router.get("/products", listProducts);
  router.get("/products/{id}", getProduct);
  router.post("/products", addProduct).bind(requireAuth());
  router.get("/products/{id}/photo", getPhoto);
  router.put("/products/{id}/photo", putPhoto).bind(requireAuth());
}

async function findProduct(e: RequestEvent<"id">): Promise<ProductRow> {
  const product = await (await tablesOf(e))
    .selectFrom("products")
    .selectAll()
    .where("id", "=", e.pathValue("id"))
    .executeTakeFirst();
  if (!product) throw e.error(404, "Product not found.");
  return product;
}

function toProduct({ id, name, description, price_cents, stock, photo }: ProductRow): Product {
  return { id, name, description, price_cents, stock, has_photo: photo !== null };
}
