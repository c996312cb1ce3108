import type { Database, Statement } from "better-sqlite3";
import { CompiledQuery, type DatabaseConnection, type Driver, SqliteDialect, SqliteDriver } from "kysely";

/** Kysely's dialect, with transactions made for a file that a worker thread and a command line write to as well. */
export class SharedFileDialect extends SqliteDialect {
  readonly #database: Database;

  constructor(database: Database) {
    super({ database });
    this.#database = database;
  }

  override createDriver(): Driver {
    return new ImmediateDriver({ database: rememberStatements(this.#database) });
  }
}

/** A program asks the same few things all the time; preparing a statement costs as much as running it. */
const maxStatements = 200;

function rememberStatements(database: Database): Pick<Database, "prepare" | "close"> {
  const statements = new Map<string, Statement>();
  const prepare = (text: string): Statement => {
    const known = statements.get(text);
    // One that is being read row by row cannot be started again.
    if (known !== undefined && !known.busy) return known;
    const statement = database.prepare(text);
    if (statements.size >= maxStatements) statements.clear();
    statements.set(text, statement);
    return statement;
  };
  return { prepare: prepare as Database["prepare"], close: () => database.close() };
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
