import { sql } from "kysely";
import type { Clock } from "../lib/time/clock.ts";
import type { OpenEngine } from "./engine.ts";
import { readMigrations } from "./migrator.ts";
import type { Store } from "./store.ts";

const table = "annex_readiness";

/** A table with a single row, written by `probe`. */
export const readinessMigrations = readMigrations("storage", new URL("./migrations/", import.meta.url));

/** What the storage itself needs. */
export const readinessStore: Store = {
  name: "storage",
  contents: [],
  tables: [table, "annex_migrations"],
  migrations: readinessMigrations,
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
