import type { AppOptions, RequestEvent } from "../../src/index.ts";

interface PersonRow {
  id: string;
  name: string;
  /** SHA-256 of the API key, so that a copy of the database does not contain valid keys. */
  key_hash: string;
}

export interface TodoRow {
  id: string;
  owner: string;
  title: string;
  done: number;
  /** Milliseconds since the epoch. */
  due: number | null;
  created: number;
  archived: number;
}

export interface Tables {
  people: PersonRow;
  todos: TodoRow;
}

export const migrations: NonNullable<AppOptions["migrations"]> = {
  "001-people": {
    up: (db, types) =>
      db.schema
        .createTable("people")
        .addColumn("id", types.text, (column) => column.primaryKey())
        .addColumn("name", types.text, (column) => column.notNull())
        .addColumn("key_hash", types.text, (column) => column.notNull().unique())
        .execute(),
  },
  "002-todos": {
    up: (db, types) =>
      db.schema
        .createTable("todos")
        .addColumn("id", types.text, (column) => column.primaryKey())
        // A person, or a superuser who tries the API.
        .addColumn("owner", types.text, (column) => column.notNull())
        .addColumn("title", types.text, (column) => column.notNull())
        .addColumn("done", types.integer, (column) => column.notNull())
        .addColumn("due", types.integer)
        .addColumn("created", types.integer, (column) => column.notNull())
        .addColumn("archived", types.integer, (column) => column.notNull())
        .execute(),
  },
};

export async function tablesOf(e: RequestEvent<never>) {
  return (await e.app.database()).tables<Tables>();
}
