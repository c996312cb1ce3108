import type BetterSqlite3 from "better-sqlite3";
import { StartError } from "../lib/errors/start-error.ts";
import { withReserveSync } from "./disk-reserve.ts";
import { explainFailure, openFile } from "./sqlite/file.ts";
import { isSqliteError } from "./sqlite/library.ts";

/** Held until it is released or the process ends for any reason. */
export interface DataDirLock extends Disposable {
  release(): void;
}

/**
 * Short, because a second process waits this long before it fails; long enough for a holder that is writing its process
 * ID.
 */
const patienceMs = 500;

/** Prevents garbage collection of held locks, which would close the file and release the lock. */
const held = new Set<BetterSqlite3.Database>();

/**
 * Prevents a second server process from using the data folder. The lock is SQLite's write lock on `annex.lock`. The
 * operating system releases it when the process ends, so no stale lock remains after a kill.
 */
export function lockDataDir(dataDir: string): DataDirLock {
  const inUse = (holder: string) => {
    const message = `The data folder ${dataDir} is in use by ${holder}. Stop that process or choose another data folder.`;
    return new StartError("DATA_DIR_IN_USE", message);
  };
  return withReserveSync(dataDir, () => lockFile(dataDir, "annex.lock", inUse));
}

/** Prevents a second backup of the data folder. The server can run. */
export function lockBackups(dataDir: string): DataDirLock {
  return lockFile(dataDir, "backup.lock", (holder) => {
    const message = `A backup of the data folder ${dataDir} is already running in ${holder}. Wait until it has finished.`;
    return new StartError("DATA_DIR_IN_USE", message);
  });
}

function lockFile(dataDir: string, name: string, inUse: (holder: string) => StartError): DataDirLock {
  const file = openFile(dataDir, name, patienceMs, ["user_version"]);
  try {
    take(file);
  } catch (error) {
    const problem = isBusy(error)
      ? inUse(describeHolder(readHolder(file)))
      : explainFailure(file.name, error);
    file.close();
    throw problem;
  }
  held.add(file);
  const release = () => {
    held.delete(file);
    file.close();
  };
  return { release, [Symbol.dispose]: release };
}

/**
 * Returns inside an open write transaction, with our process ID in the file. The ID must be committed to be readable by
 * others, which releases the lock for a moment. So the ID is checked again and written until it is ours.
 */
function take(file: BetterSqlite3.Database): void {
  for (;;) {
    file.exec("begin immediate");
    if (readHolder(file) === process.pid) return;
    file.pragma(`user_version = ${process.pid}`);
    file.exec("commit");
  }
}

function readHolder(file: BetterSqlite3.Database): number {
  return file.pragma("user_version", { simple: true }) as number;
}

function isBusy(error: unknown): boolean {
  return isSqliteError(error) && error.code.startsWith("SQLITE_BUSY");
}

function describeHolder(pid: number): string {
  return pid === 0 ? "another process" : `process ${pid}`;
}
