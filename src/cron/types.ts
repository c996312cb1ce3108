import type { CatchUp, JobFunction, JobOptions, Overlap } from "./job.ts";
import type { FinishedStatus } from "./runs/execution.ts";
import type { Run } from "./runs/run.ts";

/** A registered job and its state. */
export interface Job {
  /** Unique ID, as given when the job was registered. */
  readonly id: string;
  /** Name shown on the dashboard. */
  readonly name: string;
  /** What the job does; empty if none was given. */
  readonly description: string;
  /** Cron expression with five fields. */
  readonly schedule: string;
  /** Whether it is a system job of Annex. */
  readonly isSystem: boolean;
  /** Whether the schedule is paused. A paused job can still be started manually. */
  readonly isPaused: boolean;
  /** Whether the job was removed. A removed job keeps its history and can be restored. */
  readonly isRemoved: boolean;
  /** When the job was paused; absent if it is not. */
  readonly pausedAt?: Date;
  /** Who paused the job; absent if code did. */
  readonly pausedBy?: string;
  /** When the job was removed; absent if it was not. */
  readonly removedAt?: Date;
  /** Who removed the job; absent if code did. */
  readonly removedBy?: string;
  /** The time zone of the job's schedule. */
  readonly timezone: string;
  /** What happens if a run is due while another is in progress. */
  readonly overlap: Overlap;
  /** What happens with runs that were due while the application was stopped. */
  readonly catchUp: CatchUp;
  /** Maximum number of retries of a failed run. */
  readonly retries: number;
  /** Absent without a time limit. */
  readonly timeoutMs?: number;
  /** Absent while the job is paused or removed. */
  readonly nextRun?: Date;
  /** Start time of the last finished run. */
  readonly lastRun?: Date;
  /** Final status of the last finished run. */
  readonly lastStatus?: FinishedStatus;
}

/** Status of the scheduler. */
export interface SchedulerStatus {
  /** Whether the scheduler starts runs. */
  readonly isRunning: boolean;
  /** Number of jobs that are registered and not removed. */
  readonly jobsCount: number;
  /** Time zone of jobs without their own. */
  readonly timezone: string;
  /** Seconds since the scheduler was started. */
  readonly uptimeSeconds: number;
}

/** A change to a job, a run or the scheduler's time zone, for the audit log. */
export interface CronChange {
  readonly kind: "pause" | "resume" | "remove" | "restore" | "run" | "cancel" | "timezone";
  /** The job ID, or "timezone". */
  readonly subject: string;
  /** Absent if the change was made by code. */
  readonly actor?: string | undefined;
  /** Previous and new time zone, for "timezone". */
  readonly before?: string;
  readonly after?: string;
  /** For "run" and "cancel". */
  readonly runId?: string;
}

/** Who performs an action, for logs and the audit log: an email address or a name. */
export interface Asked {
  /** Default: none, as for changes made by code. */
  actor?: string | undefined;
}

/** Filter, page and sort order of runs, with the defaults and limits of the API. */
export interface RunQuery {
  /** Default: all jobs. */
  jobId?: string | undefined;
  /** Trace ID of the request that started the runs. */
  traceId?: string | undefined;
  /** "running", "success", "failed", "timeout" or "interrupted"; separate several values by commas. */
  status?: string | undefined;
  /** "schedule", "manual", "catch-up" or "retry"; separate several values by commas. */
  trigger?: string | undefined;
  /** Earliest start time. */
  from?: Date | number | string | undefined;
  /** Latest start time, exclusive. */
  to?: Date | number | string | undefined;
  /** Starts at 1. Default 1. */
  page?: number | undefined;
  /** Default 20, maximum 100. */
  perPage?: number | undefined;
  /** Comma-separated API field names; prefix a name with a minus for descending order. Default "-start_time". */
  sort?: string | undefined;
}

/** A page of runs. */
export interface RunPage {
  /** Number of this page, starting at 1. */
  readonly page: number;
  /** Maximum number of runs on a page. */
  readonly perPage: number;
  /** Number of pages. */
  readonly totalPages: number;
  /** Number of runs on all pages. */
  readonly totalItems: number;
  /** The runs of this page. */
  readonly items: readonly Run[];
}

/** Statistics of the finished runs in the log. Timed-out and interrupted runs count as failed. */
export interface Analytics {
  /** Number of finished runs. */
  readonly executions: number;
  /** Number of runs that succeeded. */
  readonly successCount: number;
  /** Number of runs that failed. */
  readonly failedCount: number;
  /** Percentage with one decimal; 0 without runs. */
  readonly successRate: number;
  /** Average duration of a run, in milliseconds. */
  readonly averageDurationMs: number;
  /** The same for each job. */
  readonly byJob: readonly JobAnalytics[];
}

/** Statistics of the finished runs of one job. */
export interface JobAnalytics {
  /** ID of the job. */
  readonly jobId: string;
  /** Number of finished runs. */
  readonly executions: number;
  /** Number of runs that succeeded. */
  readonly successCount: number;
  /** Number of runs that failed. */
  readonly failedCount: number;
  /** Average duration of a run, in milliseconds. */
  readonly averageDurationMs: number;
}

/** The jobs of an application, available as `app.jobs`. */
export interface JobManager {
  /**
   * Registers a job, replacing a job with the same ID. Throws if an argument is invalid.
   *
   * `schedule` has the five fields minute, hour, day of month, month and day of week, such as `"30 2 * * MON-FRI"`.
   */
  registerJob(
    id: string,
    name: string,
    description: string,
    schedule: string,
    run: JobFunction,
    options?: JobOptions,
  ): void;
  /** Returns all registered jobs that are not removed. With `removed`, includes removed jobs. */
  list(options?: { removed?: boolean }): Promise<Job[]>;
  /** Returns one job. Throws 404 if it does not exist or is removed. */
  find(id: string): Promise<Job>;
  /**
   * Starts a run without waiting for its end. Throws 409 if a run is in progress. The run inherits the trace ID of the
   * current request or run unless `traceId` is given.
   */
  run(id: string, asked?: Asked & { traceId?: string }): Promise<Run>;
  /** Removes a job until it is restored, even across restarts. A run in progress continues. */
  remove(id: string, asked?: Asked): Promise<void>;
  /** Restores a removed job that is still registered. */
  restore(id: string, asked?: Asked): Promise<void>;
  /** Pauses a job's schedule, even across restarts. The job can still be run manually. */
  pause(id: string, asked?: Asked): Promise<void>;
  /** Resumes a paused job. Ticks missed during the pause are not run. */
  resume(id: string, asked?: Asked): Promise<void>;
  /** Aborts a run, which then has the status `failed`. Throws 409 if it has ended and 404 if it does not exist. */
  cancel(runId: string, asked?: Asked): Promise<Run>;
  /** Returns whether the scheduler is running, its time zone and its uptime. */
  status(): Promise<SchedulerStatus>;
  /**
   * Permanently sets the time zone of all jobs without their own. Takes effect immediately; returns the canonical name.
   */
  setTimezone(name: string, asked?: Asked): Promise<string>;
  /** Returns the next runs of a job. Default 10, maximum 100. */
  nextRuns(id: string, count?: number): Date[];
  /** Returns the next runs of a schedule, by default in the scheduler's time zone. */
  preview(schedule: string, options?: { timezone?: string | undefined; count?: number | undefined }): Date[];
  /** Returns a page of runs, newest first by default. */
  logs(query?: RunQuery): Promise<RunPage>;
  /** Returns one run. Throws 404 if it does not exist. */
  findRun(runId: string): Promise<Run>;
  /** Returns statistics of the finished runs in the log, in total and per job. */
  analytics(): Promise<Analytics>;
}
