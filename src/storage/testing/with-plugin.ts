import type { KyselyPlugin, Transaction } from "kysely";
import type { Database } from "../database.ts";

/** The same database with a plugin that sees all its statements. */
export function withPlugin(database: Database, plugin: KyselyPlugin): Database {
  return {
    ...database,
    engine: database.engine,
    tables: <T>() => database.tables<T>().withPlugin(plugin),
    transaction: <T, R>(work: (trx: Transaction<T>) => Promise<R>) =>
      database.transaction<T, R>((trx) => work(trx.withPlugin(plugin))),
  };
}
