import type { CatchUp, JobFunction, JobOptions, Overlap } from "./job.ts";
import type { FinishedStatus } from "./runs/execution.ts";
import type { Run } from "./runs/run.ts";

/** A job as it is told to others. */
export interface Job {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly schedule: string;
  /** Whether Annex brings it itself. */
  readonly isSystem: boolean;
  readonly isPaused: boolean;
  readonly isRemoved: boolean;
  /** Since when, and by whom if somebody said so. */
  readonly pausedAt?: Date;
  readonly pausedBy?: string;
  readonly removedAt?: Date;
  readonly removedBy?: string;
  /** The zone that its schedule is read in. */
  readonly timezone: string;
  readonly overlap: Overlap;
  readonly catchUp: CatchUp;
  readonly retries: number;
  readonly timeoutMs?: number;
  /** Absent while it is paused or removed. */
  readonly nextRun?: Date;
  /** When the last run that has ended began, and how it ended. */
  readonly lastRun?: Date;
  readonly lastStatus?: FinishedStatus;
}

export interface SchedulerStatus {
  readonly isRunning: boolean;
  /** How many jobs are registered and not removed. */
  readonly jobsCount: number;
  readonly timezone: string;
  readonly uptimeSeconds: number;
}

/** What somebody did to a job, to a run or to the schedules of all. */
export interface CronChange {
  readonly kind: "pause" | "resume" | "remove" | "restore" | "run" | "cancel" | "timezone";
  /** The job's id; "timezone" when it is about that. */
  readonly subject: string;
  /** Absent when the program did it by itself. */
  readonly actor?: string | undefined;
  /** The zones. */
  readonly before?: string;
  readonly after?: string;
  /** Of "run" and "cancel". */
  readonly runId?: string;
}

/** Who asks for something, for the record: an address, a name. */
export interface Asked {
  actor?: string | undefined;
}

/** Which runs are wanted, with the defaults and limits of the API. */
export interface RunQuery {
  /** Default: those of all jobs. */
  jobId?: string | undefined;
  /** The request that asked for them, or what else their log lines share. */
  traceId?: string | undefined;
  /** "running", "success", "failed", "timeout" or "interrupted", or several separated by commas. */
  status?: string | undefined;
  /** "schedule", "manual", "catch-up" or "retry", or several separated by commas. */
  trigger?: string | undefined;
  /** Not those that began before. */
  from?: Date | number | string | undefined;
  /** Not those that began then or later. */
  to?: Date | number | string | undefined;
  /** Counted from 1. Default 1. */
  page?: number | undefined;
  /** Default 20, at most 100. */
  perPage?: number | undefined;
  /** Names of fields as in the API, separated by commas, with a minus before those that descend. Default "-start_time". */
  sort?: string | undefined;
}

export interface RunPage {
  readonly page: number;
  readonly perPage: number;
  readonly totalPages: number;
  readonly totalItems: number;
  readonly items: readonly Run[];
}

/** What the finished runs in the log come to. What timed out or was interrupted has failed. */
export interface Analytics {
  readonly executions: number;
  readonly successCount: number;
  readonly failedCount: number;
  /** A percentage with one decimal; 0 when nothing ran. */
  readonly successRate: number;
  readonly averageDurationMs: number;
  readonly byJob: readonly JobAnalytics[];
}

export interface JobAnalytics {
  readonly jobId: string;
  readonly executions: number;
  readonly successCount: number;
  readonly failedCount: number;
  readonly averageDurationMs: number;
}

/** The jobs of an application. */
export interface JobManager {
  /**
   * Registers a job; one of the same id is replaced. It throws when something is wrong with it, and names that.
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
  /** Every job that is registered and not removed; with `removed`, those too. */
  list(options?: { removed?: boolean }): Promise<Job[]>;
  /** One job. Throws a 404 when there is none of that id, or it is removed. */
  find(id: string): Promise<Job>;
  /**
   * Starts a run at once and does not wait for its end. Throws a 409 while another one is in progress. It has the trace
   * ID of the request, or of the run, that the caller works for, unless it is given another.
   */
  run(id: string, asked?: Asked & { traceId?: string }): Promise<Run>;
  /** Removes a job; a run in progress goes on. It stays removed, also after a restart, until it is restored. */
  remove(id: string, asked?: Asked): Promise<void>;
  /** Brings back a removed job that is still registered. */
  restore(id: string, asked?: Asked): Promise<void>;
  /** The schedule of a paused job counts no longer, also after a restart. It can still be run by hand. */
  pause(id: string, asked?: Asked): Promise<void>;
  /** Ends a pause. What was missed meanwhile is not made up for. */
  resume(id: string, asked?: Asked): Promise<void>;
  /** Aborts a run; it will have failed. Throws a 409 when it is over, a 404 when there is none. */
  cancel(runId: string, asked?: Asked): Promise<Run>;
  /** Whether the schedules are looked after, in which zone, and for how long. */
  status(): Promise<SchedulerStatus>;
  /** Changes the zone of all jobs that have none of their own, at once and for good; returns its name. */
  setTimezone(name: string, asked?: Asked): Promise<string>;
  /** When a job will run next, ten times if not said otherwise; at most a hundred. */
  nextRuns(id: string, count?: number): Date[];
  /** When a schedule would run next, in the scheduler's zone if not said otherwise. */
  preview(schedule: string, options?: { timezone?: string | undefined; count?: number | undefined }): Date[];
  /** A page of runs, the newest first if not said otherwise. */
  logs(query?: RunQuery): Promise<RunPage>;
  /** One run. Throws a 404 when there is none of that id. */
  findRun(runId: string): Promise<Run>;
  /** What the finished runs in the log come to, over all and job by job. */
  analytics(): Promise<Analytics>;
}
