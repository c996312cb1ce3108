import { createId } from "../../../lib/ids.ts";
import type { CronTables, RetryReason } from "../tables.ts";
import { tickName } from "../tick-name.ts";
import type { QueuedRow } from "./queue-store.ts";

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

/** What to do with a run whose process stopped or crashed. */
export type OnInterrupt = "ignore" | "retry";

/** How often a run is retried, and after which delays. */
export type RetryPlan = Required<RetryOptions>;

/** The fields of a run that its retries share. */
export type RetriedRun = Pick<
  CronTables["annex_cron_runs"],
  "id" | "job_id" | "actor" | "trace_id" | "scheduled_at" | "attempt" | "parameters" | "tick" | "first_run_id"
>;

/** Retries of interrupted runs of a job that does not set a number. */
const defaultInterruptRetries = 3;

/** The plan for runs that are interrupted; `undefined` if the job does not retry them. */
export function planForInterruption({
  onInterrupt,
  retries,
}: {
  readonly onInterrupt: OnInterrupt;
  readonly retries: RetryPlan;
}): RetryPlan | undefined {
  if (onInterrupt === "ignore") return undefined;
  return retries.count > 0 ? retries : { ...retries, count: defaultInterruptRetries };
}

/** The next attempt of a run; `undefined` if none is left. */
export function createRetry(
  run: RetriedRun,
  plan: RetryPlan,
  { now, reason }: { readonly now: number; readonly reason: RetryReason },
): QueuedRow | undefined {
  if (run.attempt > plan.count) return undefined;
  const { job_id, actor, trace_id, scheduled_at, parameters } = run;
  const attempt = run.attempt + 1;
  return {
    ...{ job_id, actor, trace_id, scheduled_at, parameters, attempt, reason },
    id: createId(),
    run_at: now + delayBefore(attempt, plan),
    created_at: now,
    trigger: "retry",
    tick: run.tick === null ? null : tickName(job_id, scheduled_at, attempt),
    retry_of: run.id,
    first_run_id: run.first_run_id ?? run.id,
  };
}

/** The first run is attempt 1. */
function delayBefore(attempt: number, { delayMs, factor, maxDelayMs }: RetryPlan): number {
  return Math.min(Math.round(delayMs * factor ** (attempt - 2)), maxDelayMs);
}
