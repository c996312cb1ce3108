import { closeSync, fsyncSync, openSync, statfsSync, writeSync } from "node:fs";
import { BackupError } from "../../lib/errors/backup-error.ts";
import { removeAll } from "../../lib/paths/move-file.ts";
import { formatBytes } from "../../lib/text/byte-size.ts";

/** Creates a file that only its owner can read. Fails if it exists, so that no link is followed. */
export function createPrivateFile(path: string): number {
  return openSync(path, "wx", 0o600);
}

/** A single call may write less than it was given. */
export function writeFully(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

export function syncFile(path: string): void {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes renames in a folder durable. Windows cannot open folders, and does not need it. */
export function syncFolder(path: string): void {
  if (process.platform === "win32") return;
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Best effort, so that the error that ended the work is reported. The next run removes the remaining files. */
export function tryRemove(...paths: readonly string[]): void {
  for (const path of paths) {
    try {
      removeAll(path);
    } catch {
      // See above.
    }
  }
}

/** Left to the server, which must be able to write while the disk is filled. */
const reserve = 16 * 2 ** 20;

/** Refuses to fill the disk of a folder. */
export function requireSpace(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const needed = bytes + reserve;
  if (free >= needed) return;
  const message = `The disk of ${folder} has ${formatBytes(free)} free, but ${formatBytes(needed)} are needed. Free some space and try again.`;
  throw new BackupError("unwritable", message);
}
