/**
 * Jobs that run on a schedule. Each is registered in one call, runs once per tick whatever the clocks and the number
 * of instances do, and leaves a record of every run, also of one that a crash cut short.
 *
 * ```ts
 * const cron = createCron({ database: async () => database, clock: systemClock, logger, timezone: "UTC", retentionMs });
 * cron.jobs.registerJob("report", "Daily report", "Sends the figures of yesterday", "0 6 * * *", async (log) => {
 *   log.start("Collecting");
 *   await sendReport({ signal: log.signal });
 *   log.success("Sent");
 * });
 * await cron.start();
 * ```
 */
export { type Cron, type CronOptions, createCron } from "./cron.ts";
export type { CatchUp, ExecutionLogger, JobFunction, JobOptions, Overlap, RetryOptions } from "./job.ts";
export type { FinishedStatus } from "./runs/execution.ts";
export type { OutputEntry } from "./runs/output.ts";
export type { Run } from "./runs/run.ts";
export type { EndedRun } from "./runs/runner.ts";
export { parseTimezone } from "./schedule/timezone.ts";
export { cronMigrations, type RunStatus, type Trigger } from "./tables.ts";
export type {
  Analytics,
  Asked,
  CronChange,
  Job,
  JobAnalytics,
  JobManager,
  RunPage,
  RunQuery,
  SchedulerStatus,
} from "./types.ts";
