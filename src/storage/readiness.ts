import { sql } from "kysely";
import type { Clock } from "../lib/clock.ts";
import type { OpenEngine } from "./engine.ts";
import type { MigrationSet } from "./migrator.ts";

const table = "annex_readiness";

/** A table with a single row, written by `probe`. */
export const readinessMigrations: MigrationSet = {
  feature: "storage",
  migrations: {
    "001-readiness": {
      async up(db, types) {
        await db.schema
          .createTable(table)
          .addColumn("id", types.integer, (column) => column.primaryKey())
          .addColumn("written_at", types.integer, (column) => column.notNull())
          .execute();
      },
    },
  },
};

/** Only a commit shows that writes succeed: reads work on a full disk and in a removed file. */
export async function probe({ query, inspect }: OpenEngine, clock: Clock): Promise<void> {
  await inspect();
  await query
    .insertInto(table)
    .values({ id: 1, written_at: clock.now() })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ written_at: sql`excluded.written_at` }))
    .execute();
}
