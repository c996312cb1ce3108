/**
 * Scheduled jobs. Each job is registered in one call and runs once per tick, regardless of clock changes and the number
 * of instances. Every run is recorded, including runs interrupted by a crash.
 *
 * ```ts
 * const cron = createCron({ database: async () => database, clock: systemClock, logger, timezone: "UTC", retentionMs });
 * cron.jobs.registerJob("report", "Daily report", "Sends yesterday's numbers", "0 6 * * *", async (log) => {
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
