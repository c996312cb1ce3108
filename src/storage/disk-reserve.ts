import { closeSync, existsSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { join } from "node:path";
import { giveToFolderOwner } from "./data-dir.ts";
import { faultOf } from "./faults.ts";

const reserveFile = "annex.reserve";
/** Twice what SQLite writes to a write-ahead log before it copies the pages to the file. */
const reserveBytes = 8 * 2 ** 20;
/** The reserve never takes more than this share of the free space. */
const leastFreeBytes = 4 * reserveBytes;

/**
 * A file that only takes up space. SQLite cannot delete rows on a full disk, because it first writes the changed pages to
 * its write-ahead log. Without a reserve, lowering a limit would not help when the disk is full, and a server could not
 * even start: opening a file creates such a log.
 */
export function keepReserve(dataDir: string): void {
  const path = join(dataDir, reserveFile);
  try {
    if (existsSync(path) || freeBytes(dataDir) < leastFreeBytes) return;
    fill(path);
    giveToFolderOwner(path);
  } catch {
    // The disk has become full meanwhile, or is read-only.
    rmSync(path, { force: true });
  }
}

/**
 * Does work that a full disk must not prevent: a start, or a deletion. If the disk is full, the work is repeated with the
 * space of the reserve.
 */
export async function withReserve<R>(dataDir: string, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (!releaseReserve(dataDir, error)) throw error;
    return await work();
  }
}

/** The same for work that does not wait. */
export function withReserveSync<R>(dataDir: string, work: () => R): R {
  try {
    return work();
  } catch (error) {
    if (!releaseReserve(dataDir, error)) throw error;
    return work();
  }
}

/** Whether the reserve takes up space. */
export function hasReserve(dataDir: string): boolean {
  return existsSync(join(dataDir, reserveFile));
}

/** Whether the disk was full, and now has the space of the reserve. */
function releaseReserve(dataDir: string, error: unknown): boolean {
  if (!isDiskFull(error) || !hasReserve(dataDir)) return false;
  rmSync(join(dataDir, reserveFile), { force: true });
  return true;
}

const longestChain = 10;

/** Whether an error, or one of its causes, is that of a full disk. A start explains errors before they are faults. */
function isDiskFull(error: unknown): boolean {
  if (faultOf(error)?.reason === "disk_full") return true;
  let at = error;
  for (let depth = 0; depth < longestChain && at instanceof Error; depth++) {
    const { code } = at as NodeJS.ErrnoException;
    if (/^(ENOSPC|EDQUOT|SQLITE_FULL|SQLITE_IOERR_SHMSIZE)$/.test(code ?? "")) return true;
    at = at.cause;
  }
  return false;
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Written, because some file systems do not store holes. */
function fill(path: string): void {
  const file = openSync(path, "wx", 0o600);
  try {
    const part = Buffer.alloc(2 ** 20, "reserve ");
    for (let written = 0; written < reserveBytes; written += part.length) writeSync(file, part);
  } finally {
    closeSync(file);
  }
}
