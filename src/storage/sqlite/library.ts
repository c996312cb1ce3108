import { createRequire } from "node:module";
import type BetterSqlite3 from "better-sqlite3";

const require = createRequire(import.meta.url);
let library: typeof BetterSqlite3 | undefined;

/** Loaded with the first file, so that applications on PostgreSQL do not load it. */
function load(): typeof BetterSqlite3 {
  library ??= require("better-sqlite3") as typeof BetterSqlite3;
  return library;
}

export function connect(path: string, options?: BetterSqlite3.Options): BetterSqlite3.Database {
  return new (load())(path, options);
}

/** Whether SQLite itself reported the error. */
export function isSqliteError(error: unknown): error is InstanceType<typeof BetterSqlite3.SqliteError> {
  return library !== undefined && error instanceof library.SqliteError;
}
