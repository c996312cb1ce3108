import { Kysely, PostgresDialect, sql } from "kysely";
import { systemClock } from "../../lib/time/clock.ts";
import type { ColumnTypes, DatabaseSize, OpenEngine, UntypedTables } from "../engine.ts";
import { faultOf } from "../faults.ts";
import { guardPool } from "./guarded-pool.ts";
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
  const pool = guardPool({ pool: createPool(url, options), place, clock: systemClock });
  const query = new Kysely<UntypedTables>({ dialect: new PostgresDialect({ pool }) });
  try {
    await sql`select 1`.execute(query);
  } catch (error) {
    await query.destroy();
    throw unreachable(place, faultOf(error) ? (error as Error).cause : error);
  }
  return {
    engine: "postgres",
    columnTypes,
    query,
    enterMigration,
    withoutTimeout: (work) => runWithoutTimeout(url, options, work),
    size: () => measureTables(query),
    problem: () => pool.problem,
    inspect: async () => {},
    close: () => query.destroy(),
  };
}

/** A migration may build an index for hours, so it gets its own connection, which is closed afterwards. */
const runWithoutTimeout = async <R>(
  url: string,
  options: PostgresOptions,
  work: (query: Kysely<UntypedTables>) => Promise<R>,
): Promise<R> => {
  const pool = createPool(url, { ...options, poolSize: 1, responseTimeoutMs: undefined });
  const query = new Kysely<UntypedTables>({ dialect: new PostgresDialect({ pool }) });
  try {
    return await work(query);
  } finally {
    await query.destroy();
  }
};

/** A lock number that other programs are unlikely to use: "annex" in ASCII. */
const migrationLock = 0x61_6e_6e_65_78;

/** A transaction-level lock is released automatically and works with PgBouncer. */
const enterMigration: OpenEngine["enterMigration"] = async (trx) => {
  // Waiting for another instance or building an index may exceed the statement timeout.
  await sql`set local statement_timeout = 0`.execute(trx);
  await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(trx);
};

/** Includes indexes and TOAST data. */
async function measureTables(query: Kysely<UntypedTables>): Promise<DatabaseSize> {
  const whole = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(
    query,
  );
  const { rows } = await sql<{ name: string; bytes: number }>`
    select relname as name, pg_total_relation_size(pg_class.oid) as bytes
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = current_schema() and relkind in ('r', 'p', 'm')
    order by bytes desc, name limit 100`.execute(query);
  return { bytes: whole.rows[0]!.bytes, parts: rows };
}
