import type { Database, Statement } from "better-sqlite3";
import { CompiledQuery, type DatabaseConnection, type Driver, SqliteDialect, SqliteDriver } from "kysely";
import type { FileGuard } from "./file-guard.ts";
import { guardStatement } from "./guarded-statement.ts";

/** Kysely dialect with transactions for a file that worker threads and the command line write to as well. */
export class SharedFileDialect extends SqliteDialect {
  readonly #database: Database;
  readonly #guard: FileGuard;

  constructor(database: Database, guard: FileGuard) {
    super({ database });
    this.#database = database;
    this.#guard = guard;
  }

  override createDriver(): Driver {
    return new ImmediateDriver(this.#database, this.#guard);
  }
}

/** Statements are cached, because applications repeat few queries and preparing one costs as much as running it. */
const maxStatements = 200;

function rememberStatements(database: Database, guard: FileGuard): Pick<Database, "prepare" | "close"> {
  const statements = new Map<string, { statement: Statement; guarded: Statement }>();
  const prepare = (text: string): Statement => {
    const known = statements.get(text);
    // A statement that is being iterated cannot be started again.
    if (known !== undefined && !known.statement.busy) return known.guarded;
    const statement = prepareGuarded(text);
    if (statements.size >= maxStatements) statements.clear();
    statements.set(text, statement);
    return statement.guarded;
  };
  const prepareGuarded = (text: string) => {
    try {
      const statement = database.prepare(text);
      return { statement, guarded: guardStatement(statement, guard) };
    } catch (error) {
      throw guard.explain(error);
    }
  };
  return { prepare: prepare as Database["prepare"], close: () => database.close() };
}

/**
 * A transaction that starts as a reader and then writes fails immediately if another connection has written in between,
 * regardless of the busy timeout. Taking the write lock at the start makes it wait instead.
 */
class ImmediateDriver extends SqliteDriver {
  readonly #database: Database;

  constructor(database: Database, guard: FileGuard) {
    super({ database: rememberStatements(database, guard) });
    this.#database = database;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }

  /** On some errors, such as a full disk, SQLite has already rolled back. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.inTransaction) await super.rollbackTransaction(connection);
  }
}
