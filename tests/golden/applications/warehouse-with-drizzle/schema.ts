import { integer, jsonb, numeric, pgTable, serial, text, timestamp, uuid } from "drizzle-orm/pg-core";

export const products = pgTable("products", {
  id: uuid("id").primaryKey().defaultRandom(),
  sku: text("sku").notNull().unique(),
  name: text("name").notNull(),
  price: numeric("price", { precision: 10, scale: 2 }).notNull(),
  status: text("status", { enum: ["draft", "active", "retired"] })
    .notNull()
    .default("draft"),
  attributes: jsonb("attributes").$type<Record<string, string>>().notNull(),
  createdAt: timestamp("created_at").notNull().defaultNow(),
  retiredAt: timestamp("retired_at"),
});

export const stock = pgTable("stock", {
  id: serial("id").primaryKey(),
  productId: uuid("product_id")
    .notNull()
    .references(() => products.id),
  shelf: text("shelf").notNull(),
  quantity: integer("quantity").notNull(),
});

export type Product = typeof products.$inferSelect;
export type NewProduct = Pick<typeof products.$inferInsert, "sku" | "name" | "price" | "attributes">;
export type ProductChanges = Partial<Pick<typeof products.$inferInsert, "name" | "price" | "status">>;
