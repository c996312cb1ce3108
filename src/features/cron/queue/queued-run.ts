import { defined } from "../../../lib/defined.ts";
import type { RetryReason, Trigger } from "../tables.ts";
import type { QueuedRow } from "./queue-store.ts";

/** A run that starts later: a retry, or a single run at a given time. */
export interface QueuedRun {
  /** ID that the run will have. */
  readonly id: string;
  /** ID of the job. */
  readonly jobId: string;
  /** When the run is due. It starts later if another run of the job is in progress then. */
  readonly runAt: Date;
  /** What starts the run. */
  readonly trigger: Trigger;
  /** Who queued the run; absent if code did. */
  readonly actor?: string;
  /** Trace ID that the run will have. */
  readonly traceId: string;
  /** 1 for a single run, incremented with each retry. */
  readonly attempt: number;
  /** ID of the run that is retried. */
  readonly retryOf?: string;
  /** Why it is retried. */
  readonly reason?: RetryReason;
  /** Parameters of the run, if there are any. */
  readonly parameters?: unknown;
}

export function toQueuedRun(row: QueuedRow): QueuedRun {
  return defined({
    id: row.id,
    jobId: row.job_id,
    runAt: new Date(row.run_at),
    trigger: row.trigger,
    actor: row.actor ?? undefined,
    traceId: row.trace_id,
    attempt: row.attempt,
    retryOf: row.retry_of ?? undefined,
    reason: row.reason ?? undefined,
    parameters: row.parameters === null ? undefined : JSON.parse(row.parameters),
  });
}
