import type { AppOptions, Generated } from "annex";

export interface Tables {
  notes: {
    id: Generated<number>;
    text: string;
    /** Milliseconds since the epoch. */
    created: number;
  };
}

export const migrations: AppOptions["migrations"] = {
  "001-notes": {
    up: (db, types) =>
      db.schema
        .createTable("notes")
        .addColumn("id", types.serial, (column) => column.primaryKey())
        .addColumn("text", types.text, (column) => column.notNull())
        .addColumn("created", types.integer, (column) => column.notNull())
        .execute(),
  },
};
