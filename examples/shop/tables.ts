import type { AppOptions, RequestEvent } from "../../src/index.ts";

interface UserRow {
  id: string;
  email: string;
  name: string;
  password_hash: string;
}

interface SessionRow {
  /** SHA-256 of the token in the cookie, so that a copy of the database does not contain valid sessions. */
  token_hash: string;
  user_id: string;
  /** Milliseconds since the epoch. */
  expires: number;
}

export interface ProductRow {
  id: string;
  name: string;
  description: string;
  price_cents: number;
  stock: number;
  photo: Uint8Array | null;
  photo_type: string | null;
}

export interface OrderRow {
  id: string;
  user_id: string;
  product_id: string;
  quantity: number;
  total_cents: number;
  status: string;
  created: number;
}

export interface Tables {
  users: UserRow;
  sessions: SessionRow;
  products: ProductRow;
  orders: OrderRow;
}

export const migrations: NonNullable<AppOptions["migrations"]> = {
  "001-users": {
    up: async (db, types) => {
      await db.schema
        .createTable("users")
        .addColumn("id", types.text, (column) => column.primaryKey())
        .addColumn("email", types.text, (column) => column.notNull().unique())
        .addColumn("name", types.text, (column) => column.notNull())
        .addColumn("password_hash", types.text, (column) => column.notNull())
        .execute();
      await db.schema
        .createTable("sessions")
        .addColumn("token_hash", types.text, (column) => column.primaryKey())
        .addColumn("user_id", types.text, (column) => column.notNull().references("users.id"))
        .addColumn("expires", types.integer, (column) => column.notNull())
        .execute();
    },
  },
  "002-products": {
    up: (db, types) =>
      db.schema
        .createTable("products")
        .addColumn("id", types.text, (column) => column.primaryKey())
        .addColumn("name", types.text, (column) => column.notNull())
        .addColumn("description", types.text, (column) => column.notNull())
        .addColumn("price_cents", types.integer, (column) => column.notNull())
        .addColumn("stock", types.integer, (column) => column.notNull())
        .addColumn("photo", types.blob)
        .addColumn("photo_type", types.text)
        .execute(),
  },
  "003-orders": {
    up: (db, types) =>
      db.schema
        .createTable("orders")
        .addColumn("id", types.text, (column) => column.primaryKey())
        .addColumn("user_id", types.text, (column) => column.notNull().references("users.id"))
        .addColumn("product_id", types.text, (column) => column.notNull().references("products.id"))
        .addColumn("quantity", types.integer, (column) => column.notNull())
        .addColumn("total_cents", types.integer, (column) => column.notNull())
        .addColumn("status", types.text, (column) => column.notNull())
        .addColumn("created", types.integer, (column) => column.notNull())
        .execute(),
  },
};

export async function tablesOf(e: RequestEvent<never>) {
  return (await e.app.database()).tables<Tables>();
}
