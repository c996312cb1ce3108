import { statfsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type BetterSqlite3 from "better-sqlite3";
import { prepareDataFile } from "../data-dir.ts";
import { explainFailure } from "./file.ts";
import { countFree, isIncremental, moveFreePages, read } from "./free-pages.ts";
import { connect } from "./library.ts";

/** What compacting a file needs and brings. In bytes. */
export interface CompactionPlan {
  readonly file: string;
  readonly size: number;
  readonly free: number;
  /**
   * Free space that the disk needs meanwhile: a copy of the data, and a write-ahead log with the same pages. Nothing for
   * a file that can return its free pages one by one.
   */
  readonly needed: number;
  readonly available: number;
  /** Whether other processes cannot write to the file until its data has been copied. */
  readonly blocksWriters: boolean;
}

/** How long the command waits for a writer. */
const patienceMs = 60_000;
const pagesPerStep = 256;

/** Returns `undefined` if the file does not exist or has no data. */
export function planCompaction(dataDir: string, file: string): CompactionPlan | undefined {
  const path = join(dataDir, file);
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return undefined;
  return withFile(dataDir, file, (database) => {
    const pageSize = read(database, "page_size");
    const size = read(database, "page_count") * pageSize;
    const free = countFree(database) * pageSize;
    const blocksWriters = !isIncremental(database);
    const { bavail, bsize } = statfsSync(dataDir);
    const needed = blocksWriters ? (size - free) * 2 : 0;
    return { file, size, free, needed, available: bavail * bsize, blocksWriters };
  });
}

/**
 * Returns the free space of a file to the file system. Files of earlier versions are written again, and from then on
 * return their free pages by themselves. The change is one transaction of SQLite: if the process is killed, the file has
 * all its data, and the server or the next command continues. Returns the new size.
 */
export function compactFile(dataDir: string, file: string): number {
  return withFile(dataDir, file, (database) => {
    if (isIncremental(database)) returnPages(database);
    else writeAgain(database);
    database.pragma("wal_checkpoint(truncate)");
    return read(database, "page_count") * read(database, "page_size");
  });
}

/** In steps, so that other processes can write between two of them. */
function returnPages(database: BetterSqlite3.Database): void {
  while (countFree(database) > 0) moveFreePages(database, pagesPerStep);
}

function writeAgain(database: BetterSqlite3.Database): void {
  database.pragma("auto_vacuum = incremental");
  database.exec("vacuum");
}

function withFile<R>(dataDir: string, file: string, work: (database: BetterSqlite3.Database) => R): R {
  const path = prepareDataFile(dataDir, file);
  const database = connect(path, { fileMustExist: true, timeout: patienceMs });
  try {
    database.pragma("journal_mode = wal");
    return work(database);
  } catch (error) {
    throw explainFailure(join(dirname(path), file), error);
  } finally {
    database.close();
  }
}
