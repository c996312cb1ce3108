/**
 * JSON of the cron routes that the dashboard reads. Times are milliseconds since the epoch. In the entries of the public
 * API, they are ISO 8601 texts.
 */

export type FinishedStatus = "success" | "failed" | "timeout" | "interrupted";
export type RunStatus = FinishedStatus | "running";
export type Trigger = "schedule" | "manual" | "catch-up" | "retry";

/** A job as returned by the public API. */
export interface JobEntry {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly schedule: string;
  readonly is_system: boolean;
  readonly next_run?: string | undefined;
  readonly last_run?: string | undefined;
  readonly last_status?: FinishedStatus | undefined;
}

interface JobOptions {
  readonly paused: boolean;
  readonly removed: boolean;
  readonly timezone: string;
  readonly overlap: "skip" | "queue" | "allow";
  readonly catch_up: "skip" | "once";
  readonly retries: number;
  readonly on_interrupt: "ignore" | "retry";
  readonly group?: string | undefined;
  /** The number of ticks that wait on this instance until fewer runs are in progress. */
  readonly waiting?: number | undefined;
  readonly timeout_ms?: number | undefined;
}

/** A job as returned by the public API with `view=full`. */
export interface FullJobEntry extends JobEntry, JobOptions {}

/** A run as returned by the public API. */
export interface RunEntry {
  readonly id: string;
  readonly job_id: string;
  readonly job_name: string;
  readonly start_time: string;
  readonly end_time?: string | undefined;
  readonly duration_ms?: number | undefined;
  readonly status: RunStatus;
  /** A JSON array of `{ level, message }`. */
  readonly output: string;
}

/** A run as returned by the public API with `view=full`. */
export interface Run extends RunEntry {
  readonly trigger: Trigger;
  readonly actor?: string | undefined;
  readonly trace_id: string;
  readonly scheduled_at: string;
  readonly attempt: number;
  readonly progress?: number | undefined;
  /** The name of the instance that executes the run. */
  readonly instance?: string | undefined;
  /** The parameters of the run, redacted. */
  readonly parameters?: unknown;
}

/** Another attempt of the same run. */
export interface RunAttempt {
  readonly id: string;
  readonly attempt: number;
  readonly status: RunStatus;
  readonly start_time: string;
  readonly instance?: string | undefined;
}

/** A run with all of its attempts, if there is more than one, and the retry that is queued. */
export interface RunDetails extends Run {
  readonly attempts?: readonly RunAttempt[] | undefined;
  readonly retry?: QueuedRun | undefined;
}

/** A run that starts later: a retry, or a single run at a given time. */
export interface QueuedRun {
  /** The ID that the run will have. */
  readonly id: string;
  readonly job_id: string;
  readonly status: "queued";
  readonly run_at: string;
  readonly trigger: Trigger;
  readonly actor?: string | undefined;
  readonly trace_id: string;
  readonly attempt: number;
  /** The run that is retried, and why. */
  readonly retry_of?: string | undefined;
  readonly reason?: "failed" | "interrupted" | undefined;
  /** The parameters of the run, redacted. */
  readonly parameters?: unknown;
}

/** How to start a run. */
export interface RunBody {
  readonly parameters?: unknown;
  /** ISO 8601. Absent: now. */
  readonly run_at?: string | undefined;
}

export interface RunPage {
  readonly page: number;
  readonly perPage: number;
  readonly totalPages: number;
  readonly totalItems: number;
  readonly items: readonly Run[];
}

export interface SchedulerStatus {
  readonly running: boolean;
  readonly jobs_count: number;
  readonly timezone: string;
  readonly uptime_seconds: number;
}

export interface RunTotals {
  readonly total_executions: number;
  readonly success_count: number;
  readonly failed_count: number;
  /** In percent. */
  readonly success_rate: number;
  readonly avg_duration_ms: number;
}

export interface Analytics extends RunTotals {
  readonly by_job: readonly {
    readonly job_id: string;
    readonly executions: number;
    readonly success_count: number;
    readonly failed_count: number;
    readonly avg_duration_ms: number;
  }[];
}

export interface RecentRun {
  readonly id: string;
  readonly status: FinishedStatus;
  readonly start_time: number;
  readonly duration_ms: number;
}

export interface RunDot extends RecentRun {
  readonly trigger: Trigger;
  readonly actor?: string | undefined;
  readonly attempt: number;
}

export interface RunningRun {
  readonly run_id: string;
  readonly started_at: number;
  readonly progress?: number | undefined;
}

/** A job with its recent runs, as shown on the cron page. */
export interface Job extends Omit<JobEntry, "next_run" | "last_run">, JobOptions {
  readonly schedule_words: string;
  readonly next_run?: number | undefined;
  readonly last_run?: number | undefined;
  readonly paused_at?: number | undefined;
  readonly paused_by?: string | undefined;
  readonly removed_at?: number | undefined;
  readonly removed_by?: string | undefined;
  readonly running: readonly RunningRun[];
  /** Newest first, at most 30. */
  readonly recent: readonly RecentRun[];
  readonly p50_ms?: number | undefined;
  readonly p95_ms?: number | undefined;
  /** The duration of the newest runs divided by that of the oldest. */
  readonly trend?: number | undefined;
  readonly runs_kept: number;
  readonly failed_kept: number;
}

export interface JobList {
  readonly status: SchedulerStatus;
  readonly analytics: RunTotals;
  readonly jobs: readonly Job[];
  readonly truncated: boolean;
}

export interface JobDetails extends Job {
  readonly next_runs: readonly number[];
  /** Retries and single runs that are due later, earliest first. */
  readonly queued: readonly QueuedRun[];
  /** Newest first. */
  readonly runs: readonly RunDot[];
}

export interface RunBar {
  readonly id: string;
  readonly job_id: string;
  readonly job_name: string;
  readonly status: RunStatus;
  readonly trigger: Trigger;
  readonly start_time: number;
  readonly end_time?: number | undefined;
}

export interface PlannedTick {
  readonly job_id: string;
  readonly time: number;
}

/** A series of ticks at a constant interval. */
export interface PlannedBand {
  readonly job_id: string;
  readonly every_ms: number;
  readonly from: number;
  readonly to: number;
}

export interface MissedTick {
  readonly job_id: string;
  readonly time: number;
  /** Skipped because the previous run was still in progress. */
  readonly overlap?: true | undefined;
}

export interface Timeline {
  readonly from: number;
  readonly to: number;
  readonly now: number;
  readonly runs: readonly RunBar[];
  readonly truncated: boolean;
  readonly planned: readonly (PlannedTick | PlannedBand)[];
  readonly planned_truncated: boolean;
  readonly missed: readonly MissedTick[];
  readonly missed_truncated: boolean;
}

export interface ZonePreview {
  readonly timezone: string;
  readonly current: string;
  readonly jobs_affected: number;
  readonly examples: readonly {
    readonly job_id: string;
    readonly name: string;
    readonly schedule: string;
    readonly before: readonly number[];
    readonly after: readonly number[];
  }[];
}

export interface TimezoneNames {
  readonly timezones: readonly string[];
}

/** The response to an action on a job. */
export interface JobAction {
  readonly message: string;
  readonly job_id: string;
}

/** The response to an action that starts or stops a run. */
export interface RunAction extends JobAction {
  readonly run_id: string;
  /** When a queued run is due. */
  readonly run_at?: string | undefined;
}

export interface TimezoneAction {
  readonly message: string;
  readonly timezone: string;
}

/** The data of the events `entry` and `progress` in the stream of a run. */
export interface OutputEntry {
  readonly level: string;
  readonly message: string;
}

export interface RunProgress {
  readonly progress?: number | undefined;
}

/** The responses of GET routes, by path. */
export interface CronRoutes {
  "/_/_/data/cron": JobList;
  "/_/_/data/cron/jobs": readonly JobEntry[];
  "/_/_/data/cron/jobs?view=full": readonly FullJobEntry[];
  "/_/_/data/cron/jobs/{id}": JobDetails;
  "/_/_/data/cron/logs?view=full": RunPage;
  "/_/_/data/cron/logs/{job_id}?view=full": RunPage;
  "/_/_/data/cron/queue": readonly QueuedRun[];
  "/_/_/data/cron/runs/{run_id}": RunDetails | QueuedRun;
  "/_/_/data/cron/timeline": Timeline;
  "/_/_/data/cron/timezone": ZonePreview;
  "/_/_/data/cron/timezones": TimezoneNames;
}

/** The responses of routes that change something, by method and path. */
export interface CronActions {
  "POST /api/cron/jobs/{id}/run": RunAction;
  "POST /api/cron/jobs/{id}/pause": JobAction;
  "POST /api/cron/jobs/{id}/resume": JobAction;
  "POST /api/cron/jobs/{id}/restore": JobAction;
  "DELETE /api/cron/jobs/{id}": JobAction;
  "POST /api/cron/runs/{run_id}/cancel": RunAction;
  "POST /api/cron/config/timezone": TimezoneAction;
}
