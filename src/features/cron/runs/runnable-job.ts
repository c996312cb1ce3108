/** Passed to the job function: writes the run's output and identifies the run. */
export interface ExecutionLogger {
  /** Writes an entry with level "start". */
  start(message: string): void;
  /** Writes an entry with level "info". */
  info(message: string): void;
  /** Reports progress: a fraction from 0 to 1, or a message. Each full percent is also written as an entry. */
  progress(fractionOrMessage: number | string): void;
  /** Writes an entry with level "success". Does not end the run. */
  success(message: string): void;
  /** Writes an entry with level "complete". Does not end the run. */
  complete(message?: string): void;
  /** Writes an entry with level "warn". */
  warn(message: string): void;
  /** Writes an entry with level "error". Does not fail the run; see `fail`. */
  error(message: string): void;
  /** Marks the run as failed, regardless of how the function ends. */
  fail(error: unknown): void;
  /** Aborted when the run is cancelled or times out, or when the application stops. Pass it to asynchronous calls. */
  readonly signal: AbortSignal;
  /** ID of the run, as in `Run.id`. */
  readonly runId: string;
  /** Scheduled time of the run. For manual runs, the time of the request. */
  readonly scheduledAt: Date;
}

/**
 * The function of a job. The run succeeds when it returns or its promise resolves, and fails when it throws.
 *
 * ```ts
 * app.jobs.registerJob("report", "Daily report", "Sends the report", "0 6 * * *", async (log) => {
 *   await sendReport({ signal: log.signal });
 *   log.success("Sent");
 * });
 * ```
 */
export type JobFunction = (log: ExecutionLogger) => unknown;

/** What to do with a tick while the previous run is in progress. */
export type Overlap = "skip" | "queue" | "allow";

/** Retries with exponential backoff, such as `{ count: 5, delayMs: 2000 }`. */
export interface RetryOptions {
  /** Maximum number of retries of a failed run, up to 100. */
  readonly count: number;
  /** Delay before the first retry, in milliseconds. Default 1000. */
  readonly delayMs?: number;
  /** Factor by which the delay grows with each retry. Default 2. */
  readonly factor?: number;
  /** Maximum delay in milliseconds. Default 900000 (15 minutes). */
  readonly maxDelayMs?: number;
}

/** The part of a job that is needed to run it. */
export interface RunnableJob {
  readonly id: string;
  readonly name: string;
  readonly run: JobFunction;
  readonly timeoutMs: number | undefined;
  readonly overlap: Overlap;
  readonly retries: Required<RetryOptions>;
}

/** Delay before the given attempt. The first run is attempt 1. */
export function retryDelay({ delayMs, factor, maxDelayMs }: Required<RetryOptions>, attempt: number): number {
  return Math.min(delayMs * factor ** (attempt - 2), maxDelayMs);
}
