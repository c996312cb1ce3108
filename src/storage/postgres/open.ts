import { Kysely, PostgresDialect, sql } from "kysely";
import type { ColumnTypes, OpenEngine, UntypedTables } from "../engine.ts";
import { describePlace, unreachable } from "./place.ts";
import { createPool, type PostgresOptions } from "./pool.ts";

export type { PostgresOptions };

const columnTypes: ColumnTypes = {
  integer: "bigint",
  serial: "bigserial",
  real: "double precision",
  text: sql`text collate "C"`,
  blob: "bytea",
};

export async function openPostgres(url: string, options: PostgresOptions): Promise<OpenEngine> {
  const place = describePlace(url);
  const pool = createPool(url, options);
  const query = new Kysely<UntypedTables>({ dialect: new PostgresDialect({ pool }) });
  try {
    await sql`select 1`.execute(query);
  } catch (error) {
    await query.destroy();
    throw unreachable(place, error);
  }
  return { engine: "postgres", columnTypes, query, enterMigration };
}

/** Any number that no other program is likely to lock in the same database: "annex" in ASCII. */
const migrationLock = 0x61_6e_6e_65_78;

/** The lock goes with the transaction, so that nothing has to give it back, and PgBouncer may stand in between. */
const enterMigration: OpenEngine["enterMigration"] = async (trx) => {
  // Waiting for another instance, or building an index, may take longer than any other statement should.
  await sql`set local statement_timeout = 0`.execute(trx);
  await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(trx);
};
