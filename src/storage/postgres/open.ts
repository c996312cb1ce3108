import { Kysely, sql, type Transaction } from "kysely";
import { systemClock } from "../../lib/time/clock.ts";
import type { ColumnTypes, DatabaseSize, OpenEngine, UntypedTables } from "../engine.ts";
import { faultOf } from "../faults.ts";
import { ReadCommittedDialect } from "./dialect.ts";
import { type GuardedPool, guardPool } from "./guarded-pool.ts";
import { runMigration } from "./migration.ts";
import { unreachable } from "./outage.ts";
import { describePlace } from "./place.ts";
import { createPool } from "./pool.ts";
import type { PostgresOptions } from "./postgres-options.ts";
import { createStatementLimits, type StatementLimits } from "./statement-limits.ts";

export type { PostgresOptions };

const columnTypes: ColumnTypes = {
  integer: "bigint",
  serial: "bigserial",
  real: "double precision",
  text: sql`text collate "C"`,
  blob: "bytea",
};

interface Connections {
  readonly pool: GuardedPool;
  readonly limits: StatementLimits;
  readonly query: Kysely<UntypedTables>;
}

function connect(url: string, options: PostgresOptions): Connections {
  const place = describePlace(url);
  const pool = createPool(url, options);
  const limits = createStatementLimits(pool);
  const { responseTimeoutMs } = options;
  const guarded = guardPool({ pool, limits, responseTimeoutMs, place, clock: systemClock });
  return { pool: guarded, limits, query: new Kysely({ dialect: new ReadCommittedDialect(guarded) }) };
}

export async function openPostgres(url: string, options: PostgresOptions): Promise<OpenEngine> {
  const { pool, limits, query } = connect(url, options);
  try {
    limits.verify(await readStatementTimeout(query));
  } catch (error) {
    await query.destroy();
    throw unreachable(describePlace(url), faultOf(error) ? (error as Error).cause : error);
  }
  return {
    engine: "postgres",
    columnTypes,
    query,
    reader: query,
    migrate: (work) => migrate(url, options, query, work),
    size: () => measureTables(query),
    // The server reuses free space, and autovacuum returns what is at the end of a table.
    release: async () => false,
    problem: () => pool.problem,
    inspect: async () => {},
    close: () => query.destroy(),
  };
}

/** The first query. In milliseconds; `show statement_timeout` has a unit. */
async function readStatementTimeout(query: Kysely<UntypedTables>): Promise<number> {
  const { rows } = await sql<{ setting: string }>`
    select setting from pg_settings where name = 'statement_timeout'`.execute(query);
  return Number(rows[0]?.setting);
}

/** Timeouts do not apply to migrations, so they get their own connection, which is closed afterwards. */
async function migrate<R>(
  url: string,
  options: PostgresOptions,
  observer: Kysely<UntypedTables>,
  work: (trx: Transaction<UntypedTables>) => Promise<R>,
): Promise<R> {
  const unlimited = { poolSize: 1, statementTimeoutMs: 0, responseTimeoutMs: undefined };
  const { query: connection } = connect(url, { ...options, ...unlimited });
  try {
    return await runMigration({ connection, observer, place: describePlace(url), clock: systemClock, work });
  } finally {
    await connection.destroy();
  }
}

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
