import { accessSync, constants } from "node:fs";
import { fileIdentity } from "../../lib/paths/file-identity.ts";
import { createFaultError, type DatabaseFault, type FaultReason, faultOf } from "../faults.ts";
import { connect, isSqliteError } from "./library.ts";

/**
 * Monitors an open database file. On Linux, writes to a removed file succeed but are lost. The guard therefore compares
 * the files at their paths with the opened files around every commit.
 */
export interface FileGuard {
  /** The last fault; cleared by a successful write. Damage remains until the file is reopened. */
  readonly problem: DatabaseFault | undefined;
  /** Throws if the database file or its write-ahead log is no longer the one that was opened. */
  check(): void;
  /** Throws if the file cannot be written or is damaged. Slower than `check`, because it reopens the file. */
  inspect(): void;
  /** Call after a commit has reached the file. */
  wrote(): void;
  /** Runs work on the file between two checks, and explains its errors. */
  attempt<Result>(work: () => Result): Result;
  /** Converts an SQLite error to a coded error if it is a fault of the file. */
  explain(error: unknown): unknown;
}

/** The database must have been read once, so that its write-ahead log exists. */
export function createFileGuard(path: string): FileGuard {
  const opened = new Map([path, `${path}-wal`].map((file) => [file, fileIdentity(file)]));
  let problem: DatabaseFault | undefined;
  let isDamaged = false;

  function fail(reason: FaultReason, cause?: unknown): Error {
    problem = { reason, place: path };
    if (reason === "damaged") isDamaged = true;
    return createFaultError(problem, cause);
  }

  function check(): void {
    for (const [file, identity] of opened) {
      const found = fileIdentity(file);
      if (found === undefined) throw fail("file_removed");
      if (found !== identity) throw fail("file_replaced");
    }
  }

  function explain(error: unknown): unknown {
    const reason = reasonOf(error);
    if (reason === undefined) return error;
    try {
      check();
    } catch (moved) {
      return createFaultError(faultOf(moved)!, error);
    }
    return reason === "unavailable" ? createFaultError({ reason, place: path }, error) : fail(reason, error);
  }

  return {
    get problem() {
      return problem;
    },
    check,
    inspect() {
      check();
      if (isDamaged) throw fail("damaged");
      try {
        accessSync(path, constants.W_OK);
      } catch (error) {
        throw fail("read_only", error);
      }
      try {
        readHeader(path);
      } catch (error) {
        throw explain(error);
      }
    },
    wrote() {
      if (!isDamaged) problem = undefined;
    },
    attempt(work) {
      check();
      try {
        return work();
      } catch (error) {
        throw explain(error);
      }
    },
    explain,
  };
}

/** Open connections read from their cache; a new one reads the file. */
function readHeader(path: string): void {
  const file = connect(path, { fileMustExist: true });
  try {
    file.prepare("select 1 from sqlite_schema limit 1").get();
  } finally {
    file.close();
  }
}

const reasons: [pattern: RegExp, reason: FaultReason][] = [
  // The second: the file of the memory that processes share cannot be extended.
  [/^SQLITE_(FULL|IOERR_SHMSIZE)/, "disk_full"],
  [/^SQLITE_READONLY/, "read_only"],
  [/^SQLITE_(CORRUPT|NOTADB)/, "damaged"],
  [/^SQLITE_(IOERR|CANTOPEN)/, "io_error"],
  [/^SQLITE_BUSY/, "unavailable"],
];

/** The fault that an error of SQLite means; `undefined` if the query is at fault. */
export function reasonOf(error: unknown): FaultReason | undefined {
  if (!isSqliteError(error)) return undefined;
  return reasons.find(([pattern]) => pattern.test(error.code))?.[1];
}
