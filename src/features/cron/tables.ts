import { type Generated, sql } from "kysely";
import { readMigrations, type Store } from "../../storage/index.ts";

/** The output of a run as it is stored: JSON, or shorter on SQLite. */
export type StoredOutput = string | Uint8Array;

/** Final status of a run. Cancelled runs are `failed`; `interrupted` means that the process stopped or crashed. */
export type FinishedStatus = "success" | "failed" | "timeout" | "interrupted";

/** Status of a run. */
export type RunStatus = FinishedStatus | "running";

export const runStatuses = [
  "running",
  "success",
  "failed",
  "timeout",
  "interrupted",
] as const satisfies RunStatus[];

/** What started a run. */
export type Trigger = "schedule" | "manual" | "catch-up" | "retry";

export const triggers = ["schedule", "manual", "catch-up", "retry"] as const satisfies Trigger[];

/** Why a run is retried. */
export type RetryReason = "failed" | "interrupted";

/** Table types for queries. Times are milliseconds since the epoch. */
export interface CronTables {
  annex_cron_runs: {
    id: string;
    job_id: string;
    job_name: string;
    status: RunStatus;
    trigger: Trigger;
    /** Who started the run; null for scheduled runs. */
    actor: string | null;
    trace_id: string;
    scheduled_at: number;
    /** 1 for the first attempt, incremented with each retry. */
    attempt: number;
    started_at: number;
    /** 0 while the run is in progress. */
    ended_at: number;
    /** 0 while the run is in progress. */
    duration_ms: number;
    /** From 0 to 1. */
    progress: number | null;
    output: StoredOutput;
    /** ID of the process that executes the run. */
    instance: string;
    /** The name of the instance; null for runs that are older than this column. */
    instance_name: string | null;
    /**
     * Job ID and scheduled time, and the attempt of a retry. Unique, so that each tick runs only once. SQLite compares the
     * columns themselves, and stores only that the run has a tick.
     */
    tick: string | null;
    /** Job ID while an exclusive run is in progress. Unique, so that no second run can start. */
    exclusive: string | null;
    /** The group of the job, if it has one. */
    job_group: string | null;
    /** Who cancelled the run. Read by the instance that executes it. */
    cancelled_by: string | null;
    /** JSON of the parameters; null if there are none. */
    parameters: string | null;
    /** The first attempt of a retry; null for first attempts. */
    first_run_id: string | null;
    /** JSON of the `RetryPlan` that applies if the run is interrupted; null if it is not retried then. */
    retry_plan: string | null;
  };
  /** Runs that start later: retries, and single runs at a given time. A run has the ID of its row. */
  annex_cron_queue: {
    id: string;
    job_id: string;
    run_at: number;
    created_at: number;
    trigger: Trigger;
    actor: string | null;
    trace_id: string;
    scheduled_at: number;
    attempt: number;
    parameters: string | null;
    /** Unique name of a retried tick and its attempt. */
    tick: string | null;
    /** The run that is retried, its first attempt, and why. Null for single runs. */
    retry_of: string | null;
    first_run_id: string | null;
    reason: RetryReason | null;
  };
  annex_cron_jobs: {
    job_id: string;
    /** When and by whom the job was removed or paused; null if it is not. */
    removed_at: number | null;
    removed_by: string | null;
    paused_at: number | null;
    paused_by: string | null;
    /** Since when the job's ticks are processed. Only set for jobs that catch up. */
    known_since: number | null;
    /** Current schedule and time zone, and since when they are active without a pause; null if unknown. */
    planned_as: string | null;
    planned_since: number | null;
    /** When an instance last recorded that it has the job. */
    registered_at: Generated<number>;
    /** How long the job's runs are stored; null for as long as those of other jobs. */
    retention_ms: number | null;
    last_run: number | null;
    last_status: FinishedStatus | null;
    /** Sums over the finished runs in the log, so that queries do not have to count them. */
    success_count: number;
    failed_count: number;
    duration_ms: number;
  };
  annex_cron_settings: { name: string; value: string };
  /** The instances that are alive. All times are those of the database. */
  annex_cron_instances: {
    id: string;
    name: string;
    renewed_at: number;
    expires_at: number;
    /** 1 if the instance runs jobs, 0 if it only serves. */
    runs_jobs: number;
  };
  /** The rows are locked while runs of a group begin, so that their number is certain. */
  annex_cron_groups: { name: string };
}

/** The time of the database, in milliseconds since the epoch. PostgreSQL only. */
export const databaseNow = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

export const cronMigrations = readMigrations("cron", new URL("./migrations/", import.meta.url));

export const cronStore: Store = {
  name: "jobs",
  contents: ["jobs and their logs"],
  tables: ["annex_cron_*"],
  migrations: cronMigrations,
  isLarge: true,
  retention: [{ of: "job logs", option: "cron.logRetentionHours" }],
};
