import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "../../lib/errors/start-error.ts";
import { moveFile, removeAll } from "../../lib/paths/move-file.ts";
import { giveToFolderOwner } from "../data-dir.ts";
import { lockDataDir } from "../data-dir-lock.ts";
import { syncFile, syncFolder } from "./durable-files.ts";
import { describeReason } from "./io-errors.ts";

/**
 * Replaces the databases of a data folder. Several files cannot be renamed together, so a kill in between must not
 * matter:
 *
 * 1. The new files are written to `restore-incoming`, with a plan, and synchronized. The old state is in use.
 * 2. The folder is renamed to `restore-committed`. From now on, the new state is in use: every program that opens the
 *    data folder performs the remaining steps first.
 * 3. The old files, with their logs, are moved to the folder that the plan names.
 * 4. The new files are moved to the data folder.
 * 5. `restore-committed` is renamed back and removed.
 *
 * Steps 3 and 4 can be repeated: a database whose new file is no longer in `restore-committed` has been replaced. All
 * steps require the lock of the data folder.
 */

const incomingName = "restore-incoming";
const committedName = "restore-committed";
const planName = "plan.json";

/** A write-ahead log must never meet another database. The mark makes the next start move the database aside. */
const suffixes = ["", "-wal", "-shm", "-journal", ".damaged"];

interface Plan {
  /** Names of the databases to replace. */
  readonly files: readonly string[];
  /** Name of the folder for the old files. */
  readonly aside: string;
}

/** Step 1. Returns the path of an empty folder for the new files. */
export function createIncoming(dataDir: string): string {
  const folder = join(dataDir, incomingName);
  mkdirSync(folder, { mode: 0o700 });
  giveToFolderOwner(folder);
  return folder;
}

/** Steps 1 and 2. The new files must be complete and synchronized. */
export function commitIncoming(dataDir: string, plan: Plan): void {
  const incoming = join(dataDir, incomingName);
  const path = join(incoming, planName);
  writeFileSync(path, JSON.stringify(plan), { mode: 0o600 });
  syncFile(path);
  syncFolder(incoming);
  moveFile(incoming, join(dataDir, committedName));
  syncFolder(dataDir);
}

/** The files of a database that exist, with its logs. */
export function listDatabaseFiles(dataDir: string, file: string): string[] {
  return suffixes.map((suffix) => file + suffix).filter((name) => existsSync(join(dataDir, name)));
}

/**
 * Completes a restore that was interrupted after step 2, and removes what an earlier interruption left. Returns whether
 * there was one to complete. Requires the lock of the data folder.
 */
export function recoverRestore(dataDir: string): boolean {
  try {
    const isCommitted = existsSync(join(dataDir, committedName));
    if (isCommitted) completeSwap(dataDir);
    removeAll(join(dataDir, incomingName));
    return isCommitted;
  } catch (error) {
    const reason = describeReason(error) ?? (error as Error).message;
    const message = `Failed to complete the restore in the data folder ${dataDir}: ${reason}. Make the folder and its files writable for this user and try again.`;
    throw new StartError("DATA_DIR_UNUSABLE", message, { cause: error });
  }
}

/** Does the same in a process that does not have the lock. */
export function completePendingRestore(dataDir: string): void {
  if (!existsSync(join(dataDir, committedName))) return;
  using _lock = lockDataDir(dataDir);
  recoverRestore(dataDir);
}

/** Steps 3 to 5. */
function completeSwap(dataDir: string): void {
  const committed = join(dataDir, committedName);
  const { files, aside } = JSON.parse(readFileSync(join(committed, planName), "utf8")) as Plan;
  const waiting = files.filter((file) => existsSync(join(committed, file)));
  const old = waiting.flatMap((file) => listDatabaseFiles(dataDir, file));
  if (old.length > 0) moveAside(dataDir, old, join(dataDir, aside));
  for (const file of waiting) moveFile(join(committed, file), join(dataDir, file));
  syncFolder(dataDir);
  // The plan must not be removed before its folder has lost its name.
  const incoming = join(dataDir, incomingName);
  removeAll(incoming);
  moveFile(committed, incoming);
  syncFolder(dataDir);
}

function moveAside(dataDir: string, names: readonly string[], folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  giveToFolderOwner(folder);
  for (const name of names) moveFile(join(dataDir, name), unusedPath(join(folder, name)));
  syncFolder(folder);
  syncFolder(dataDir);
}

/** A program that does not know of the restore may have created the file again after it was moved. */
function unusedPath(path: string): string {
  let unused = path;
  for (let count = 2; existsSync(unused); count++) unused = `${path}.${count}`;
  return unused;
}
