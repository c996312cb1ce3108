import type { QueuedRun } from "../queue/queued-run.ts";
import type { OnInterrupt } from "../queue/retry-plan.ts";
import type { Analytics } from "../runs/history/analytics.ts";
import type { RunPage, RunQuery } from "../runs/history/run-query.ts";
import type { Run } from "../runs/run.ts";
import type { JobFunction, Overlap } from "../runs/runnable-job.ts";
import type { FinishedStatus } from "../tables.ts";
import type { CatchUp, JobOptions } from "./job.ts";

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
  /** What happens with a run whose process stopped or crashed. */
  readonly onInterrupt: OnInterrupt;
  /** Group whose limit of concurrent runs applies to the job. */
  readonly group?: string;
  /** Number of ticks that wait on this instance until fewer runs are in progress. Absent if there are none. */
  readonly waiting?: number;
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
  /** Whether runs are started, by this instance or another one. */
  readonly isRunning: boolean;
  /** Number of jobs that are registered and not removed. */
  readonly jobsCount: number;
  /** Time zone of jobs without their own. */
  readonly timezone: string;
  /** Seconds since the scheduler was started. */
  readonly uptimeSeconds: number;
}

/** Who performs an action, for logs and the audit log: an email address or a name. */
export interface ActorOptions {
  /** Default: none, as for changes made by code. */
  actor?: string | undefined;
}

/** How to start a run. */
export interface StartOptions extends ActorOptions {
  /** Trace ID of the run. Default: that of the current request or run. */
  traceId?: string | undefined;
  /** A JSON value of at most 64 KB for `log.parameters`. It is stored with the run. */
  parameters?: unknown;
}

/** The jobs of an application, available as `app.jobs`. */
export interface JobManager {
  /**
   * Registers a job, replacing a job with the same ID. Throws if an argument is invalid.
   *
   * `schedule` has the five fields minute, hour, day of month, month and day of week, such as `"30 2 * * MON-FRI"`, or
   * is a shortcut such as `"@daily"`.
   */
  registerJob<Parameters = unknown>(
    id: string,
    name: string,
    description: string,
    schedule: string,
    run: JobFunction<Parameters>,
    options?: JobOptions<Parameters>,
  ): void;
  /**
   * Ends the registration of a job in this process, so that nothing of it is left in memory. A run in progress
   * continues. Unlike `remove`, it is not stored: the job exists again when it is registered again. Throws 404 if the job
   * is not registered.
   */
  unregisterJob(id: string): void;
  /** Returns all registered jobs that are not removed. With `removed`, includes removed jobs. */
  list(options?: { removed?: boolean }): Promise<Job[]>;
  /** Returns one job. Throws 404 if it does not exist or is removed. */
  find(id: string): Promise<Job>;
  /** Starts a run without waiting for its end. Throws 409 if a run is in progress, and 400 for invalid parameters. */
  run(id: string, options?: StartOptions): Promise<Run>;
  /**
   * Queues a single run for a time. The queue is stored: if no instance is running then, the run starts as soon as one
   * is. If a run of the job is in progress, the queued run waits for its end.
   */
  runAt(id: string, time: Date, options?: StartOptions): Promise<QueuedRun>;
  /** Returns the next 1000 queued runs, of one job or of all jobs: retries, and single runs. Earliest first. */
  listQueued(jobId?: string): Promise<QueuedRun[]>;
  /** Removes a run from the queue. Throws 404 if it is not in the queue, such as after its start. */
  cancelQueued(runId: string, options?: ActorOptions): Promise<QueuedRun>;
  /** Removes a job until it is restored, even across restarts. A run in progress continues. */
  remove(id: string, options?: ActorOptions): Promise<void>;
  /** Restores a removed job that is still registered. */
  restore(id: string, options?: ActorOptions): Promise<void>;
  /** Pauses a job's schedule, even across restarts. The job can still be run manually. */
  pause(id: string, options?: ActorOptions): Promise<void>;
  /** Resumes a paused job. Ticks missed during the pause are not run. */
  resume(id: string, options?: ActorOptions): Promise<void>;
  /** Aborts a run, which then has the status `failed`. Throws 409 if it has ended and 404 if it does not exist. */
  cancel(runId: string, options?: ActorOptions): Promise<Run>;
  /** Returns whether the scheduler is running, its time zone and its uptime. */
  status(): Promise<SchedulerStatus>;
  /**
   * Permanently sets the time zone of all jobs without their own. Takes effect immediately; returns the canonical name.
   */
  setTimezone(name: string, options?: ActorOptions): Promise<string>;
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
