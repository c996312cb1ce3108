import type { CronTables, RunStatus, Trigger } from "../tables.ts";
import type { FinishedStatus } from "./execution.ts";

/** One run of a job, as it is told to others. */
export interface Run {
  readonly id: string;
  readonly jobId: string;
  readonly jobName: string;
  readonly status: RunStatus;
  readonly trigger: Trigger;
  /** Who asked for it, if somebody did. */
  readonly actor?: string;
  /** The trace of the request that asked for it; of a scheduled run, one of its own. Its log lines carry it. */
  readonly traceId: string;
  readonly scheduledAt: Date;
  /** 1, and counting up with each retry. */
  readonly attempt: number;
  readonly startedAt: Date;
  /** Absent while it runs. */
  readonly endedAt?: Date;
  readonly durationMs?: number;
  /** From 0 to 1, if the job tells. */
  readonly progress?: number;
  /** A JSON array of entries `{ level, message }`. */
  readonly output: string;
}

export type RunRow = CronTables["annex_cron_runs"];

export function toRun(row: Omit<RunRow, "instance" | "tick" | "exclusive" | "cancelled_by">): Run {
  return {
    id: row.id,
    jobId: row.job_id,
    jobName: row.job_name,
    status: row.status,
    trigger: row.trigger,
    ...(row.actor !== null && { actor: row.actor }),
    traceId: row.trace_id,
    scheduledAt: new Date(row.scheduled_at),
    attempt: row.attempt,
    startedAt: new Date(row.started_at),
    ...(row.status !== "running" && { endedAt: new Date(row.ended_at), durationMs: row.duration_ms }),
    ...(row.progress !== null && { progress: row.progress }),
    output: row.output,
  };
}

/** What is known at the end of a run. */
export interface RunEnd {
  readonly id: string;
  readonly jobId: string;
  readonly status: FinishedStatus;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly durationMs: number;
  readonly progress: number | null;
  readonly output: string;
}

/** The name of a tick, the same for every instance that finds it due. */
export function tickName(jobId: string, scheduledAt: number): string {
  return `${jobId} ${scheduledAt}`;
}
