import type { Database } from "better-sqlite3";
import { CompiledQuery, type DatabaseConnection, type Driver, SqliteDialect, SqliteDriver } from "kysely";

/** Kysely's dialect, with transactions made for a file that a worker thread and a command line write to as well. */
export class SharedFileDialect extends SqliteDialect {
  readonly #database: Database;

  constructor(database: Database) {
    super({ database });
    this.#database = database;
  }

  override createDriver(): Driver {
    return new ImmediateDriver({ database: this.#database });
  }
}

/**
 * A transaction that begins as a reader and then writes fails at once if another connection wrote in between, however
 * long the busy timeout. Taking the write lock at the beginning makes it wait instead.
 */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }
}
