import type { FaultReason } from "../faults.ts";
import { ResponseTimeout } from "./response-limit.ts";

export interface Failure {
  readonly reason: FaultReason;
  /** Whether other queries will fail as well. */
  readonly isLasting: boolean;
  /** Whether the server did not respond. */
  readonly isSilence: boolean;
}

/** Error codes of PostgreSQL (appendix A of its manual) and of Node. */
const reasons: [pattern: RegExp, reason: FaultReason][] = [
  [/^53100$/, "disk_full"],
  [/^25006$/, "read_only"],
  [/^XX00[12]$/, "damaged"],
  [/^58030$/, "io_error"],
  [
    /^(08...|57P0[1-4]|53300|ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/,
    "unavailable",
  ],
];

/** pg has no error codes for these. */
const silent = /^Connection terminated due to connection timeout$/;
const lost = /^(Connection terminated|Client has encountered a connection error)/;
const busy = /^timeout exceeded when trying to connect$/;

const remedies: Readonly<Record<string, string>> = {
  "53300":
    "PostgreSQL has no free connection. Lower databasePoolSize, or raise max_connections of the server.",
};

/**
 * Returns the fault of the server or the connection that caused an error; undefined if the query itself was invalid.
 */
export function describeFailure(error: unknown): Failure | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = "", message } = error as NodeJS.ErrnoException;
  if (error instanceof ResponseTimeout || silent.test(message))
    return { reason: "unavailable", isLasting: true, isSilence: true };
  // Statement timeout, or no free connection in the pool: the server works but is too slow.
  if (code === "57014" || busy.test(message))
    return { reason: "unavailable", isLasting: false, isSilence: false };
  const reason = reasons.find(([pattern]) => pattern.test(code))?.[1];
  if (reason !== undefined) return { reason, isLasting: true, isSilence: false };
  return lost.test(message) ? { reason: "unavailable", isLasting: true, isSilence: false } : undefined;
}

/** Options that help against an error. Wraps the error, because its message is from the server or from pg. */
export function adviseOn(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code = "", message } = error as NodeJS.ErrnoException;
  const advice = busy.test(message)
    ? "All connections to PostgreSQL were in use. Raise databasePoolSize, or look for slow queries and long transactions."
    : remedies[code];
  return advice === undefined ? error : Object.assign(new Error(advice, { cause: error }), { code });
}

/** Responses of PgBouncer, which uses SQLSTATE 08P01 for most of its errors, while it cannot reach the server. */
const passingAtPooler =
  /server login has been failing|cannot connect to server|server conn(ection)? crashed|query_wait_timeout|shut(ting)? ?down/i;

/** Whether an error of a connection attempt may pass without a change of the configuration. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = "", message, cause } = error as NodeJS.ErrnoException;
  if (code === "08P01") return passingAtPooler.test(message);
  // The socket of a local server that is not running.
  if (code === "ENOENT") return true;
  return describeFailure(error)?.reason === "unavailable" || isPassing(cause);
}
