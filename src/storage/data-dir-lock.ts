import BetterSqlite3 from "better-sqlite3";
import { StartError } from "../lib/start-error.ts";
import { explainFailure, openFile } from "./sqlite/file.ts";

/** Held until it is released or the process ends, however it ends. */
export interface DataDirLock extends Disposable {
  release(): void;
}

/** Short, for whoever loses waits it out; long enough for a holder that is writing its number. */
const patienceMs = 500;

/** A lock that nobody keeps must not be collected as garbage: that would close its file and so release it. */
const held = new Set<BetterSqlite3.Database>();

/**
 * Keeps a second server process out of the folder. The lock is SQLite's own write lock on `annex.lock`, which the
 * operating system drops with the process, so there is nothing stale to clean up after a kill.
 */
export function lockDataDir(dataDir: string): DataDirLock {
  const file = openFile(dataDir, "annex.lock", patienceMs, ["user_version"]);
  try {
    take(file);
  } catch (error) {
    const problem = isBusy(error) ? inUse(dataDir, readHolder(file)) : explainFailure(file.name, error);
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
 * Ends inside an open write transaction with our number in the file. The number can only be read by others once it is
 * committed, which gives the lock away for a moment; so look again whose number it is, and write ours until it stays.
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
  return error instanceof BetterSqlite3.SqliteError && error.code.startsWith("SQLITE_BUSY");
}

function inUse(dataDir: string, pid: number): StartError {
  const holder = pid === 0 ? "another process" : `process ${pid}`;
  const message = `The data folder ${dataDir} is in use by ${holder}; stop it, or give this one a folder of its own.`;
  return new StartError("DATA_DIR_IN_USE", message);
}
