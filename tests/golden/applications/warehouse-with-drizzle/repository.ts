import { and, count, eq, ilike, type SQL } from "drizzle-orm";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import { type NewProduct, type Product, type ProductChanges, products, stock } from "./schema.ts";

declare const db: PgDatabase<PgQueryResultHKT>;

export async function findProducts(name: string | undefined, status: Product["status"], limit: number) {
  const conditions: SQL[] = [eq(products.status, status)];
  if (name) conditions.push(ilike(products.name, `%${name}%`));
  const where = and(...conditions);
  const items = await db.select().from(products).where(where).limit(limit);
  const [counted] = await db.select({ total: count() }).from(products).where(where);
  return { items, total: counted?.total ?? 0 };
}

export async function findProduct(id: string): Promise<Product | undefined> {
  const [product] = await db.select().from(products).where(eq(products.id, id));
  return product;
}

export async function insertProduct(values: NewProduct) {
  const [created] = await db.insert(products).values(values).onConflictDoNothing().returning();
  return created;
}

export async function updateProduct(id: string, changes: ProductChanges) {
  const [updated] = await db.update(products).set(changes).where(eq(products.id, id)).returning({
    id: products.id,
    name: products.name,
    price: products.price,
    status: products.status,
  });
  return updated;
}

export function stockList() {
  return db
    .select({ sku: products.sku, name: products.name, shelf: stock.shelf, quantity: stock.quantity })
    .from(products)
    .leftJoin(stock, eq(stock.productId, products.id))
    .orderBy(products.sku);
}

export function shelvesOf(productId: string) {
  return db
    .select({ shelf: stock.shelf, quantity: stock.quantity })
    .from(stock)
    .where(eq(stock.productId, productId));
}
