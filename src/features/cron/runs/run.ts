import { defined } from "../../../lib/defined.ts";
import type { QueuedRow } from "../queue/queue-store.ts";
import type { CronTables, FinishedStatus, RunStatus, Trigger } from "../tables.ts";
import { unpackOutput } from "./packed-output.ts";

/** A run of a job. */
export interface Run {
  /** Unique ID of the run. */
  readonly id: string;
  /** ID of the job. */
  readonly jobId: string;
  /** The job's name when the run started. */
  readonly jobName: string;
  /** Current or final status. */
  readonly status: RunStatus;
  /** What started the run. */
  readonly trigger: Trigger;
  /** Who started the run; absent for scheduled runs. */
  readonly actor?: string;
  /** Trace ID of the request that started the run; scheduled runs get their own. Log records of the run contain it. */
  readonly traceId: string;
  /** Scheduled time; for manual runs, the time of the request. */
  readonly scheduledAt: Date;
  /** 1 for the first attempt, incremented with each retry. */
  readonly attempt: number;
  /** When the function was called. While the run is in progress, when the run was stored, shortly before. */
  readonly startedAt: Date;
  /** Absent while the run is in progress. */
  readonly endedAt?: Date;
  /** The difference between the end and the start. Absent while the run is in progress. */
  readonly durationMs?: number;
  /** From 0 to 1, if the job reports progress. */
  readonly progress?: number;
  /** JSON array of entries `{ level, message }`. */
  readonly output: string;
  /** Name of the instance that executes the run. Absent for runs stored by earlier versions. */
  readonly instance?: string;
  /** Parameters of the run, if there are any. */
  readonly parameters?: unknown;
  /** ID of the first attempt; absent for the first attempt itself. */
  readonly firstRunId?: string;
}

export type RunRow = CronTables["annex_cron_runs"];

export function toRun(
  row: Omit<RunRow, "instance" | "tick" | "exclusive" | "job_group" | "cancelled_by" | "retry_plan">,
): Run {
  const hasEnded = row.status !== "running";
  return defined({
    id: row.id,
    jobId: row.job_id,
    jobName: row.job_name,
    status: row.status,
    trigger: row.trigger,
    actor: row.actor ?? undefined,
    traceId: row.trace_id,
    scheduledAt: new Date(row.scheduled_at),
    attempt: row.attempt,
    startedAt: new Date(row.started_at),
    endedAt: hasEnded ? new Date(row.ended_at) : undefined,
    durationMs: hasEnded ? row.duration_ms : undefined,
    progress: row.progress ?? undefined,
    output: unpackOutput(row.output),
    instance: row.instance_name ?? undefined,
    parameters: row.parameters === null ? undefined : JSON.parse(row.parameters),
    firstRunId: row.first_run_id ?? undefined,
  });
}

/** The data stored when a run ends. */
export interface RunEnd {
  readonly id: string;
  readonly jobId: string;
  readonly status: FinishedStatus;
  /** When the function was called. The row of the run has the time at which it was stored until then. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly durationMs: number;
  readonly progress: number | null;
  readonly output: string;
  /** The next attempt. It is stored together with the end. */
  readonly retry?: QueuedRow | undefined;
}
