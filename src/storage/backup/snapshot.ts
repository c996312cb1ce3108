import { accessSync, closeSync, constants, statSync } from "node:fs";
import { basename, join } from "node:path";
import type BetterSqlite3 from "better-sqlite3";
import { BackupError } from "../../lib/errors/backup-error.ts";
import { connect, isSqliteError } from "../sqlite/library.ts";
import { findDamage } from "../sqlite/start-check.ts";
import { createPrivateFile, syncFile } from "./durable-files.ts";
import { describeReason, explainWrites } from "./io-errors.ts";

/**
 * The state of a database at one moment. The server can write meanwhile: with a write-ahead log, readers do not block
 * writers. The log grows until the snapshot is closed.
 */
export interface Snapshot extends Disposable {
  readonly file: string;
  readonly bytes: number;
  readonly migrations: readonly string[];
  /** Copies all pages to a new file. */
  copyTo(path: string): Promise<void>;
}

/** SQLite waits this long while another process recovers the log of a killed one. */
const patienceMs = 10_000;

/** 16 MB. Only determines how often the copy yields to the event loop. */
const pagesPerStep = 4_096;

/** Returns `undefined` if the file does not exist or has no data. */
export function openSnapshot(dataDir: string, file: string): Snapshot | undefined {
  const path = join(dataDir, file);
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return undefined;
  let database: BetterSqlite3.Database | undefined;
  try {
    accessSync(path, constants.R_OK);
    database = connect(path, { readonly: true, fileMustExist: true, timeout: patienceMs });
    return readSnapshot(database, file);
  } catch (error) {
    database?.close();
    throw explainSource(path, error);
  }
}

function readSnapshot(database: BetterSqlite3.Database, file: string): Snapshot {
  // Without this transaction, SQLite starts the copy again whenever another process has written.
  database.exec("begin");
  const migrations = readMigrationNames(database);
  const pages = database.pragma("page_count", { simple: true }) as number;
  const pageSize = database.pragma("page_size", { simple: true }) as number;
  const close = () => void database.close();
  return {
    file,
    bytes: pages * pageSize,
    migrations,
    async copyTo(path) {
      // SQLite would create a file that others can read.
      await explainWrites(path, () => closeSync(createPrivateFile(path)));
      try {
        await database.backup(path, { progress: () => pagesPerStep });
      } catch (error) {
        throw isDamage(error) ? explainSource(database.name, error) : error;
      }
    },
    [Symbol.dispose]: close,
  };
}

function readMigrationNames(database: BetterSqlite3.Database): string[] {
  const hasTable = database.prepare("select 1 from sqlite_schema where name = 'annex_migrations'").get();
  if (hasTable === undefined) return [];
  return database
    .prepare("select name from annex_migrations order by executed_at, name")
    .pluck()
    .all() as string[];
}

/**
 * Checks every page and every index, and makes the copy complete without a write-ahead log. Returns the first problem.
 */
export function sealCopy(path: string): string | undefined {
  const database = connect(path, { fileMustExist: true });
  try {
    database.pragma("trusted_schema = off");
    database.pragma("journal_mode = delete");
    return findDamage(database, "integrity_check");
  } catch (error) {
    if (isDamage(error)) return (error as Error).message;
    throw error;
  } finally {
    database.close();
    syncFile(path);
  }
}

export function damagedSource(path: string, cause: unknown): BackupError {
  const options: Record<string, string> = { "logs.db": "--without-logs", "metrics.db": "--without-metrics" };
  const option = options[basename(path)];
  const remedy =
    option === undefined
      ? `Restore an earlier backup, or recover its rows with: sqlite3 '${path}' .recover`
      : `Restart the server to replace it, or leave it out with ${option}`;
  return new BackupError("invalid", `The database ${path} is damaged. No backup was written. ${remedy}.`, {
    cause,
  });
}

function isDamage(error: unknown): boolean {
  return isSqliteError(error) && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);
}

function explainSource(path: string, error: unknown): unknown {
  if (isDamage(error)) return damagedSource(path, error);
  const reason = describeReason(error);
  if (reason === undefined) return error;
  const remedy = "Run the command as the user of the server";
  return new BackupError("missing", `Failed to read the database ${path}: ${reason}. ${remedy}.`, {
    cause: error,
  });
}
