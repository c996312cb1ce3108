import { type Kysely, sql, type Transaction } from "kysely";
import { systemClock } from "../lib/clock.ts";
import { StartError } from "../lib/start-error.ts";
import type { DatabaseSize, Engine, OpenEngine } from "./engine.ts";
import { type DatabaseFault, toStartError } from "./faults.ts";
import { type MigrationSet, migrate } from "./migrator.ts";
import type { PostgresOptions } from "./postgres/open.ts";
import { probe } from "./readiness.ts";
import { openSqlite, type SqliteOptions } from "./sqlite/open.ts";

export interface DatabaseOptions extends SqliteOptions, PostgresOptions {
  /** `postgres://user:password@host:port/name`. Default: none, which means SQLite in `dataDir`. */
  url?: string | undefined;
}

export interface Database extends AsyncDisposable {
  readonly engine: Engine;
  /** The query builder over a feature's own tables. */
  tables<T>(): Kysely<T>;
  /** Brings the tables of these features up to date; safe when several instances start together. */
  migrate(sets: MigrationSet[]): Promise<void>;
  /**
   * Runs the work in one write transaction: all of it or nothing. Inside, use only what it is given: SQLite has one
   * connection here, and a query on `tables()` would wait for the very transaction that waits for it.
   */
  transaction<T, R>(work: (trx: Transaction<T>) => Promise<R>): Promise<R>;
  /** Rejects when the engine cannot answer. */
  ping(): Promise<void>;
  /** Writes a row, and rejects with the fault if the write fails or would not last. Needs `readinessMigrations`. */
  probe(): Promise<void>;
  /** The last fault of the file or the server, until a write succeeds. */
  readonly problem: DatabaseFault | undefined;
  /** What is taken on the disk. On SQLite that is every database file of the data folder, not this one alone. */
  size(): Promise<DatabaseSize>;
  close(): Promise<void>;
}

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url } = options;
  if (url === undefined) return createDatabase(await openSqlite(options));
  if (!/^postgres(ql)?:\/\//i.test(url)) throw unknownAddress(url);
  // Loaded only here, so that a program on SQLite does not pay for a driver it does not use.
  const { openPostgres } = await import("./postgres/open.ts");
  return createDatabase(await openPostgres(url, options));
}

/** Shows the scheme at most: the rest may hold a password. */
function unknownAddress(url: string): StartError {
  const given = /^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0];
  const problem = given ? `begins with "${given}"` : "is not an address";
  return new StartError(
    "INVALID_OPTION",
    `The database address ${problem}; give postgres://user:password@host:port/name, or none for SQLite.`,
  );
}

/** If the rollback fails too, Kysely reports only that. The first error says what happened. */
async function runTransaction<T, R>(
  tables: Kysely<T>,
  work: (trx: Transaction<T>) => Promise<R>,
): Promise<R> {
  let failure: { error: unknown } | undefined;
  try {
    return await tables.transaction().execute(async (trx) => {
      try {
        return await work(trx);
      } catch (error) {
        failure = { error };
        throw error;
      }
    });
  } catch (error) {
    throw failure ? failure.error : error;
  }
}

function createDatabase(open: OpenEngine): Database {
  const { engine, query } = open;
  const tables = <T>() => query as unknown as Kysely<T>;
  const { close } = open;
  return {
    engine,
    tables,
    migrate: (sets) =>
      migrate(open, sets).catch((error) => {
        throw toStartError(error);
      }),
    transaction: <T, R>(work: (trx: Transaction<T>) => Promise<R>) => runTransaction(tables<T>(), work),
    ping: async () => void (await sql`select 1`.execute(query)),
    probe: () => probe(open, systemClock),
    get problem() {
      return open.problem();
    },
    size: open.size,
    close,
    [Symbol.asyncDispose]: close,
  };
}
