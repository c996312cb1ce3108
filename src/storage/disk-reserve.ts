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
 * its write-ahead log. Without a reserve, lowering a limit would not help when the disk is full.
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

/** Does work that deletes data. If the disk is full, the work is repeated with the space of the reserve. */
export async function withReserve<R>(dataDir: string, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    const path = join(dataDir, reserveFile);
    if (faultOf(error)?.reason !== "disk_full" || !existsSync(path)) throw error;
    rmSync(path, { force: true });
    return await work();
  }
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
