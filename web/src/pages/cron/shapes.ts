/**
 * Responses of the cron routes. Times are milliseconds since the epoch, except for the public API's run, which has ISO
 * 8601 texts.
 */

export type FinishedStatus = "success" | "failed" | "timeout" | "interrupted";
export type RunStatus = FinishedStatus | "running";
export type Trigger = "schedule" | "manual" | "catch-up" | "retry";

export interface RecentRun {
  readonly id: string;
  readonly status: FinishedStatus;
  readonly start_time: number;
  readonly duration_ms: number;
}

export interface RunDot extends RecentRun {
  readonly trigger: Trigger;
  readonly actor?: string;
  readonly attempt: number;
}

export interface Job {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly schedule: string;
  readonly schedule_words: string;
  readonly is_system: boolean;
  readonly paused: boolean;
  readonly removed: boolean;
  readonly paused_at?: number;
  readonly paused_by?: string;
  readonly removed_at?: number;
  readonly removed_by?: string;
  readonly timezone: string;
  readonly overlap: "skip" | "queue" | "allow";
  readonly catch_up: "skip" | "once";
  readonly retries: number;
  readonly timeout_ms?: number;
  readonly next_run?: number;
  readonly last_run?: number;
  readonly last_status?: FinishedStatus;
  readonly running: readonly {
    readonly run_id: string;
    readonly started_at: number;
    readonly progress?: number;
  }[];
  /** Newest first, at most 30. */
  readonly recent: readonly RecentRun[];
  readonly p50_ms?: number;
  readonly p95_ms?: number;
  /** The duration of the newest runs divided by that of the oldest. */
  readonly trend?: number;
  readonly runs_kept: number;
  readonly failed_kept: number;
}

export interface JobList {
  readonly status: {
    readonly running: boolean;
    readonly jobs_count: number;
    readonly timezone: string;
    readonly uptime_seconds: number;
  };
  readonly analytics: {
    readonly total_executions: number;
    readonly success_count: number;
    readonly failed_count: number;
    /** In percent. */
    readonly success_rate: number;
  };
  readonly jobs: readonly Job[];
  readonly truncated: boolean;
}

export interface JobDetails extends Job {
  readonly next_runs: readonly number[];
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
  readonly end_time?: number;
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
  readonly overlap?: true;
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

/** A run as returned by the API; its times are texts. */
export interface Run {
  readonly id: string;
  readonly job_id: string;
  readonly job_name: string;
  readonly start_time: string;
  readonly end_time?: string;
  readonly duration_ms?: number;
  readonly status: RunStatus;
  /** A JSON array of `{ level, message }`. */
  readonly output: string;
  readonly trigger: Trigger;
  readonly actor?: string;
  readonly trace_id: string;
  readonly scheduled_at: string;
  readonly attempt: number;
  readonly progress?: number;
}

export interface RunPage {
  readonly page: number;
  readonly perPage: number;
  readonly totalItems: number;
  readonly items: readonly Run[];
}
