import type BetterSqlite3 from "better-sqlite3";
import { connect } from "./library.ts";

/** Returned at a time. Moving a page takes about 25 µs, so a step takes about two milliseconds. */
const pagesPerStep = 64;
/** Free pages that stay in the file, for the next rows. Otherwise, pages would move after each deletion. */
const spareShare = 0.05;
const leastSpare = 256;

/**
 * Returns a few free pages to the file system. The file gets shorter with the next checkpoint. Returns whether more can
 * be returned. Files of versions before `auto_vacuum` return nothing; see `compactFile`.
 */
export function releasePages(file: BetterSqlite3.Database): boolean {
  const excess = countFree(file) - Math.max(leastSpare, Math.ceil(read(file, "page_count") * spareShare));
  if (excess <= 0 || !isIncremental(file)) return false;
  moveFreePages(file, Math.min(pagesPerStep, excess));
  if (excess > pagesPerStep) return true;
  file.pragma("wal_checkpoint(passive)");
  return false;
}

export function moveFreePages(file: BetterSqlite3.Database, pages: number): void {
  // Not as a statement: a statement that returns no rows would move one page only.
  file.pragma(`incremental_vacuum(${pages})`);
}

/** Whether free pages can be returned without writing the whole file again. */
export function isIncremental(file: BetterSqlite3.Database): boolean {
  return read(file, "auto_vacuum") === 2;
}

export function countFree(file: BetterSqlite3.Database): number {
  return read(file, "freelist_count");
}

/** The bytes of a file that contain no data. Undefined if it cannot be read. */
export function measureFree(path: string): number | undefined {
  try {
    // Not with `readFile`: closing the file would release the locks of this process on it.
    const file = connect(path, { readonly: true, fileMustExist: true });
    try {
      return countFree(file) * read(file, "page_size");
    } finally {
      file.close();
    }
  } catch {
    return undefined;
  }
}

export function read(file: BetterSqlite3.Database, name: string): number {
  return file.pragma(name, { simple: true }) as number;
}
