import type { CatchUp, JobFunction, JobOptions, Overlap } from "./job.ts";
import type { FinishedStatus } from "./runs/execution.ts";
import type { Run } from "./runs/run.ts";
import type { JobAnalytics, RunPage, RunQuery } from "./runs/run-log.ts";

/** A job as it is told to others. */
export interface Job {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly schedule: string;
  /** Whether Annex brings it itself. */
  readonly isSystem: boolean;
  readonly isPaused: boolean;
  /** The zone that its schedule is read in. */
  readonly timezone: string;
  readonly overlap: Overlap;
  readonly catchUp: CatchUp;
  readonly retries: number;
  readonly timeoutMs?: number;
  /** Absent while it is paused. */
  readonly nextRun?: Date;
  /** When the last run that has ended began, and how it ended. */
  readonly lastRun?: Date;
  readonly lastStatus?: FinishedStatus;
}

export interface SchedulerStatus {
  readonly isRunning: boolean;
  readonly jobsCount: number;
  readonly timezone: string;
  readonly uptimeSeconds: number;
}

/** Who asks for something, for the record: an address, a name. */
export interface Asked {
  actor?: string | undefined;
}

/** The jobs of an application. */
export interface JobManager {
  /**
   * Registers a job; one of the same id is replaced. It throws when something is wrong with it, and names that.
   *
   * `schedule` has the five fields minute, hour, day of month, month and day of week.
   */
  registerJob(
    id: string,
    name: string,
    description: string,
    schedule: string,
    run: JobFunction,
    options?: JobOptions,
  ): void;
  /** Every job that is registered and not removed. */
  list(): Promise<Job[]>;
  find(id: string): Promise<Job>;
  /** Starts a run at once and does not wait for its end. Throws a 409 while another one is in progress. */
  run(id: string, asked?: Asked & { traceId?: string }): Promise<Run>;
  /** Removes a job. It stays removed, also after a restart, until it is restored. */
  remove(id: string, asked?: Asked): Promise<void>;
  /** Brings back a removed job that is still registered. */
  restore(id: string): Promise<void>;
  /** The schedule of a paused job counts no longer, also after a restart. It can still be run by hand. */
  pause(id: string, asked?: Asked): Promise<void>;
  resume(id: string): Promise<void>;
  /** Aborts a run; it will have failed. */
  cancel(runId: string, asked?: Asked): Promise<Run>;
  status(): Promise<SchedulerStatus>;
  /** Changes the zone of all jobs that have none of their own, at once and for good; returns its name. */
  setTimezone(name: string): Promise<string>;
  /** When a job will run next. */
  nextRuns(id: string, count: number): Date[];
  /** When a schedule would run next; by default ten times in the scheduler's zone. */
  preview(schedule: string, options?: { timezone?: string | undefined; count?: number }): Date[];
  /** A page of runs. */
  logs(query: RunQuery): Promise<RunPage>;
  findRun(runId: string): Promise<Run>;
  /** Sums over the finished runs in the log, job by job. */
  analytics(): Promise<JobAnalytics[]>;
}
