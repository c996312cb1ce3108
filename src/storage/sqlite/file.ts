import { dirname, join } from "node:path";
import type BetterSqlite3 from "better-sqlite3";
import { StartError } from "../../lib/errors/start-error.ts";
import { dataDirFull, dataDirUnusable, prepareDataFile } from "../data-dir.ts";
import { damagedFile } from "../faults.ts";
import { reasonOf } from "./file-guard.ts";
import { connect, isSqliteError } from "./library.ts";

/**
 * Opens a SQLite file in the data folder. The pragmas access it, so an invalid file is detected here. `pragmasOfNew` are
 * for files without a page. In other files, they would wait for a writer.
 */
export function openFile(
  dataDir: string,
  name: string,
  timeout: number,
  pragmas: readonly string[],
  pragmasOfNew: readonly string[] = [],
): BetterSqlite3.Database {
  const path = prepareDataFile(dataDir, name);
  let file: BetterSqlite3.Database | undefined;
  try {
    file = connect(path, { timeout });
    const isNew = pragmasOfNew.length > 0 && file.pragma("page_count", { simple: true }) === 0;
    for (const pragma of [...(isNew ? pragmasOfNew : []), ...pragmas]) file.pragma(pragma);
    return file;
  } catch (error) {
    file?.close();
    throw explainFailure(path, error);
  }
}

/** A connection for queries only. The file exists already. */
export function openForReading(dataDir: string, name: string): BetterSqlite3.Database {
  const file = connect(join(dataDir, name), { readonly: true, fileMustExist: true });
  file.pragma("trusted_schema = off");
  return file;
}

/** Converts an SQLite error to a `StartError`. */
export function explainFailure(path: string, error: unknown): unknown {
  if (!isSqliteError(error)) return error;
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(error.code)) return damagedFile(path, error);
  if (/^SQLITE_(BUSY|LOCKED)/.test(error.code)) {
    const message = `The file ${path} is locked by another program. Close that program and restart.`;
    return new StartError("DATA_DIR_IN_USE", message, { cause: error });
  }
  if (reasonOf(error) === "disk_full") return dataDirFull(dirname(path), error);
  return dataDirUnusable(dirname(path), error.message, error);
}
