import { type Kysely, sql, type Transaction } from "kysely";
import { StartError } from "../lib/errors/start-error.ts";
import { systemClock } from "../lib/time/clock.ts";
import { completePendingRestore } from "./backup/restore-swap.ts";
import { withReserve } from "./disk-reserve.ts";
import type { DatabaseSize, Engine, OpenEngine } from "./engine.ts";
import { type DatabaseFault, toStartError } from "./faults.ts";
import { type MigrationSet, migrate, type OnUpgradeStep } from "./migrator.ts";
import type { PostgresOptions } from "./postgres/open.ts";
import { probe } from "./readiness.ts";
import { openSqlite, type SqliteOptions } from "./sqlite/open.ts";

export interface DatabaseOptions extends SqliteOptions, PostgresOptions {
  /** `postgres://user:password@host:port/name`. Default: SQLite in `dataDir`. */
  url?: string | undefined;
}

/**
 * The application's database, with Kysely as its query builder.
 *
 * ```ts
 * const notes = await database.tables<{ notes: { text: string } }>().selectFrom("notes").selectAll().execute();
 * ```
 */
export interface Database extends AsyncDisposable {
  /** "sqlite" or "postgres". */
  readonly engine: Engine;
  /** Returns the query builder for a feature's tables. */
  tables<T>(): Kysely<T>;
  /**
   * Returns the query builder for queries whose cost grows with the data. SQLite reads in the calling thread, so a thread
   * with its own connection runs them. It starts with the first one. There are no writes and no transactions.
   */
  reader<T>(): Kysely<T>;
  /** Runs pending migrations. Safe when several instances start at the same time. */
  migrate(sets: MigrationSet[], onStep?: OnUpgradeStep): Promise<void>;
  /**
   * Runs `work` in a write transaction, atomically. Inside, use only `trx`: SQLite has a single connection, and a query
   * on `tables()` would deadlock.
   */
  transaction<T, R>(work: (trx: Transaction<T>) => Promise<R>): Promise<R>;
  /** Rejects if the database does not respond. */
  ping(): Promise<void>;
  /** Writes a row. Rejects with the fault if the write fails or is not durable. Requires `readinessMigrations`. */
  probe(): Promise<void>;
  /** The last fault of the file or the server; cleared by a successful write. */
  readonly problem: DatabaseFault | undefined;
  /** Disk usage. On SQLite, includes all database files in the data folder. */
  size(): Promise<DatabaseSize>;
  /** Does work that deletes data. On a full disk, SQLite gets a reserve for it. The work may be repeated. */
  deleting<R>(work: () => Promise<R>): Promise<R>;
  /** Returns some free space of a SQLite file to the file system. Resolves with whether there may be more. */
  release(): Promise<boolean>;
  /** Closes all connections. */
  close(): Promise<void>;
}

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url } = options;
  if (url === undefined) {
    completePendingRestore(options.dataDir);
    const open = await withReserve(options.dataDir, () => openSqlite(options));
    return createDatabase(open, options.dataDir);
  }
  if (!/^postgres(ql)?:\/\//i.test(url)) throw unknownAddress(url);
  // Imported here only, so that applications on SQLite do not load the driver.
  const { openPostgres } = await import("./postgres/open.ts");
  return createDatabase(await openPostgres(url, options), options.dataDir);
}

/** Shows the scheme only, because the rest may contain a password. */
function unknownAddress(url: string): StartError {
  const given = /^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0];
  const problem = given ? `starts with "${given}"` : "is not a URL";
  return new StartError(
    "INVALID_OPTION",
    `The database address ${problem}. Use postgres://user:password@host:port/name, or omit it for SQLite.`,
  );
}

/** If the rollback fails too, Kysely reports only that error. The first error is the relevant one. */
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

function createDatabase(open: OpenEngine, dataDir: string): Database {
  const { engine, query } = open;
  const tables = <T>() => query as unknown as Kysely<T>;
  const { close } = open;
  const spending = <R>(work: () => Promise<R>) => (engine === "sqlite" ? withReserve(dataDir, work) : work());
  return {
    engine,
    tables,
    reader: <T>() => open.reader as unknown as Kysely<T>,
    migrate: (sets, onStep) =>
      spending(() => migrate(open, sets, onStep)).catch((error) => {
        throw toStartError(error);
      }),
    transaction: <T, R>(work: (trx: Transaction<T>) => Promise<R>) => runTransaction(tables<T>(), work),
    ping: async () => void (await sql`select 1`.execute(query)),
    probe: () => probe(open, systemClock),
    get problem() {
      return open.problem();
    },
    size: open.size,
    deleting: spending,
    release: () => spending(open.release),
    close,
    [Symbol.asyncDispose]: close,
  };
}
