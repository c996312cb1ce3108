import { type ApiError, defineError, type ErrorDefinition } from "../lib/errors/errors.ts";
import { StartError } from "../lib/errors/start-error.ts";

/** Why a database cannot be used. Included in readiness responses. */
export type FaultReason =
  | "file_removed"
  | "file_replaced"
  | "disk_full"
  | "read_only"
  | "damaged"
  | "io_error"
  | "unavailable";

/** A fault of the database itself, as opposed to an invalid query. */
export interface DatabaseFault {
  readonly reason: FaultReason;
  /** The file's path, or the server's host, port and database. */
  readonly place: string;
}

export const DATABASE_FULL = defineError(
  "DATABASE_FULL",
  507,
  "The server has no disk space left. The change was not stored.",
);
export const DATABASE_READ_ONLY = defineError(
  "DATABASE_READ_ONLY",
  503,
  "The database is read-only. The change was not stored.",
);
export const DATABASE_FILE_CHANGED = defineError(
  "DATABASE_FILE_CHANGED",
  503,
  "The database file was removed or replaced. The change was not stored.",
);
export const DATABASE_DAMAGED = defineError("DATABASE_DAMAGED", 503, "The database is damaged.");
export const DATABASE_IO_ERROR = defineError(
  "DATABASE_IO_ERROR",
  503,
  "The server failed to read or write its database.",
);
export const DATABASE_UNAVAILABLE = defineError(
  "DATABASE_UNAVAILABLE",
  503,
  "The database is temporarily unavailable. Retry in a few seconds.",
);

const definitions: Record<FaultReason, ErrorDefinition> = {
  file_removed: DATABASE_FILE_CHANGED,
  file_replaced: DATABASE_FILE_CHANGED,
  disk_full: DATABASE_FULL,
  read_only: DATABASE_READ_ONLY,
  damaged: DATABASE_DAMAGED,
  io_error: DATABASE_IO_ERROR,
  unavailable: DATABASE_UNAVAILABLE,
};

/** Messages for operators. They contain no path, because anonymous clients can read the readiness response. */
const advice: Record<FaultReason, string> = {
  file_removed:
    "The database file was removed while the server was running. Restore it from a backup, then restart the server.",
  file_replaced:
    "The database file was replaced while the server was running. Restart the server to use the new file.",
  disk_full: "The disk is full. Free some space.",
  read_only: "The database is read-only. Make the file and its file system writable.",
  damaged: "The database is damaged. Stop the server and restore a backup, or run sqlite3 with .recover.",
  io_error: "The database cannot be read or written. Check the disk and the system log.",
  unavailable: "The database does not respond. Check that it is running.",
};

/** A running server recovers from these without a restart. */
const recoverable: ReadonlySet<FaultReason> = new Set(["disk_full", "read_only", "unavailable"]);

const retryAfterSeconds = 5;
const faults = new WeakMap<object, DatabaseFault>();

/** Creates the error sent to clients. Its cause is the error of the engine. */
export function createFaultError(fault: DatabaseFault, cause?: unknown): ApiError {
  const isTransient = fault.reason === "unavailable";
  const error = definitions[fault.reason].with({
    cause,
    ...(isTransient && { headers: { "Retry-After": `${retryAfterSeconds}` } }),
  });
  faults.set(error, fault);
  return error;
}

const longestChain = 10;

/** Returns the fault of an error or of one of its causes. */
export function faultOf(error: unknown): DatabaseFault | undefined {
  let at = error;
  for (let depth = 0; depth < longestChain && typeof at === "object" && at !== null; depth++) {
    const fault = faults.get(at);
    if (fault) return fault;
    at = (at as { cause?: unknown }).cause;
  }
  return undefined;
}

/** Describes a fault of a running server and its remedy, without a path. */
export function describeFault(reason: FaultReason): string {
  return recoverable.has(reason) ? `${advice[reason].slice(0, -1)}; no restart is needed.` : advice[reason];
}

/** Converts a fault during startup to a `StartError`. Other errors are returned unchanged. */
export function toStartError(error: unknown): unknown {
  const fault = faultOf(error);
  if (!fault || error instanceof StartError) return error;
  const { reason, place } = fault;
  if (reason === "damaged") return damagedFile(place, error);
  const code = reason === "unavailable" ? "DATABASE_UNREACHABLE" : "DATA_DIR_UNUSABLE";
  return new StartError(code, `Failed to use the database ${place}: ${advice[reason]}`, { cause: error });
}

export function damagedFile(path: string, cause: unknown): StartError {
  const remedy = `Restore it from a backup, recover its rows with: sqlite3 '${path}' .recover, or move it to another folder to start with an empty one`;
  return new StartError(
    "DATABASE_UNUSABLE",
    `The file ${path} is damaged or not a SQLite database. ${remedy}.`,
    { cause },
  );
}
