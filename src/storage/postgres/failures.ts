import type { FaultReason } from "../faults.ts";

export interface Failure {
  readonly reason: FaultReason;
  /** Whether other queries will fail as well. */
  readonly isLasting: boolean;
  /** Whether the server did not respond at all. */
  readonly isSilence: boolean;
}

/** By the codes of PostgreSQL (appendix A of its manual) and of Node. */
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

/** pg has no codes for these. */
const silent = /^(Query read timeout|Connection terminated due to connection timeout)$/;
const lost = /^(Connection terminated|Client has encountered a connection error)/;
const busy = /^timeout exceeded when trying to connect$/;

/** The fault of the server or the connection behind an error. Undefined if the query itself was wrong. */
export function describeFailure(error: unknown): Failure | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = "", message } = error as NodeJS.ErrnoException;
  if (silent.test(message)) return { reason: "unavailable", isLasting: true, isSilence: true };
  // A statement timeout or a pool without a free connection: the server works, but not fast enough.
  if (code === "57014" || busy.test(message))
    return { reason: "unavailable", isLasting: false, isSilence: false };
  const reason = reasons.find(([pattern]) => pattern.test(code))?.[1];
  if (reason !== undefined) return { reason, isLasting: true, isSilence: false };
  return lost.test(message) ? { reason: "unavailable", isLasting: true, isSilence: false } : undefined;
}
