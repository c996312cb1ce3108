import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { OnInterrupt, RetryPlan } from "../queue/retry-plan.ts";

/** Passed to the job function: writes the run's output and identifies the run. */
export interface ExecutionLogger<Parameters = unknown> {
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
  /** 1 for the first attempt, incremented with each retry. */
  readonly attempt: number;
  /** Parameters of the run, validated by the job's schema. `undefined` for scheduled runs. */
  readonly parameters: Parameters | undefined;
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
export type JobFunction<Parameters = unknown> = (log: ExecutionLogger<Parameters>) => unknown;

/** What to do with a tick while the previous run is in progress. */
export type Overlap = "skip" | "queue" | "allow";

/** The part of a job that is needed to run it. */
export interface RunnableJob {
  readonly id: string;
  readonly name: string;
  readonly run: JobFunction;
  readonly timeoutMs: number | undefined;
  readonly overlap: Overlap;
  /** Jobs of a group share a limit of concurrent runs. */
  readonly group: string | undefined;
  readonly retries: RetryPlan;
  readonly onInterrupt: OnInterrupt;
  /** Validates the parameters of runs. */
  readonly parameters: StandardSchemaV1 | undefined;
}
