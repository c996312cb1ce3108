import type { Generated } from "kysely";
import type { MigrationSet } from "../index.ts";

/** A feature that uses every column type. */
export const notes: MigrationSet = {
  feature: "notes",
  migrations: {
    "001-notes": {
      async up(db, types) {
        await db.schema
          .createTable("notes")
          .addColumn("id", types.serial, (column) => column.primaryKey())
          .addColumn("count", types.integer)
          .addColumn("weight", types.real)
          .addColumn("text", types.text)
          .addColumn("bytes", types.blob)
          .execute();
      },
    },
    "002-first-note": {
      async up(db) {
        await db.insertInto("notes").values({ count: 0, text: "first" }).execute();
      },
    },
  },
};

export interface NoteTables {
  notes: {
    id: Generated<number>;
    count: number | null;
    weight: number | null;
    text: string | null;
    bytes: Uint8Array | null;
  };
}
