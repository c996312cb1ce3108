import { defineFeature, type HealthIssue, type PastIssue, type StoreState } from "../../feature/index.ts";
import type { RootRouter } from "../../http/index.ts";
import type { ValuesOf } from "../../lib/options/option-set.ts";
import type { LiveOptions } from "../../lib/options/option-store.ts";
import type { SystemJob } from "../../lib/system-job.ts";
import type { Traced } from "../../lib/trace-context.ts";
import { mountCron } from "./api/routes.ts";
import { createJoinFleet } from "./cluster/join-fleet.ts";
import { cronConditions } from "./conditions.ts";
import { createJobIssues, findPastIssues } from "./dashboard/job-issues.ts";
import { createOverview } from "./dashboard/overview.ts";
import { mountDashboard } from "./dashboard/routes.ts";
import type { JobManager } from "./jobs/job-manager.ts";
import { createLogCleanup, describeRunLimits } from "./jobs/log-cleanup.ts";
import { Manager, type ManagerOptions } from "./jobs/manager.ts";
import { cronOptions } from "./options.ts";
import { cronStore } from "./tables.ts";

/**
 * Scheduled jobs. Each job is registered in one call and runs once per tick, regardless of clock changes and the number
 * of instances. Every run is recorded, including runs interrupted by a crash.
 *
 * ```ts
 * const cron = createCron({ database: async () => database, clock: systemClock, logger, options });
 * cron.jobs.registerJob("report", "Daily report", "Sends yesterday's numbers", "0 6 * * *", async (log) => {
 *   log.start("Collecting");
 *   await sendReport({ signal: log.signal });
 *   log.success("Sent");
 * });
 * await cron.start();
 * ```
 */
export type { CatchUp, JobOptions } from "./jobs/job.ts";
export type { ActorOptions, Job, JobManager, SchedulerStatus, StartOptions } from "./jobs/job-manager.ts";
export { cronOptions } from "./options.ts";
export type { QueuedRun } from "./queue/queued-run.ts";
export type { OnInterrupt, RetryOptions } from "./queue/retry-plan.ts";
export type { Analytics, JobAnalytics } from "./runs/history/analytics.ts";
export type { RunPage, RunQuery } from "./runs/history/run-query.ts";
export type { OutputEntry } from "./runs/output.ts";
export type { Run } from "./runs/run.ts";
export type { ExecutionLogger, JobFunction, Overlap } from "./runs/runnable-job.ts";
export {
  cronMigrations,
  type FinishedStatus,
  type RetryReason,
  type RunStatus,
  type Trigger,
} from "./tables.ts";

export interface CronOptions extends Omit<ManagerOptions, "timezone" | "runsJobs" | "limits"> {
  readonly options: LiveOptions<ValuesOf<typeof cronOptions>>;
  /** System jobs of other features. */
  readonly systemJobs?: readonly SystemJob[];
}

/** The cron feature as used by the application. */
export interface Cron {
  readonly jobs: JobManager;
  /** Why this instance cannot run jobs. */
  fleetIssues(): readonly HealthIssue[];
  /** Jobs that fail or were missed, and problems of this instance. */
  healthIssues(): readonly HealthIssue[];
  /** Jobs that failed or were missed in a period. */
  pastIssues(from: number, to: number): Promise<readonly PastIssue[]>;
  /** The trace contexts of the runs in progress on this instance. */
  activeTraces(): readonly Traced[];
  /** What the limits do to stored runs. */
  limitState(): Promise<StoreState>;
  mount(router: RootRouter): void;
  /** Time zone set at run time; `undefined` if none was set. */
  chosenTimezone(): Promise<string | undefined>;
  /** Loads stored job state and marks runs of crashed processes as interrupted. */
  open(): Promise<void>;
  /** Starts the scheduler. */
  start(): Promise<void>;
  /** Stops the scheduler. Runs in progress are aborted and get `graceMs` to finish. */
  stop(graceMs: number): Promise<void>;
  /** Stops the scheduler, unless it has been stopped. */
  close(): Promise<void>;
}

export function createCron({ systemJobs = [], options, ...rest }: CronOptions): Cron {
  const manager = new Manager({
    ...rest,
    timezone: options.current.timezone,
    runsJobs: options.current.run,
    limits: { concurrency: options.current.concurrency, groups: options.current.groups },
    onEnded(run) {
      issues.runEnded(run.jobId, run.status);
      rest.onEnded?.(run);
    },
  });
  const { clock } = manager;
  const overview = createOverview(manager, clock);
  const issues = createJobIssues({ clock, outcomes: overview.outcomes });
  manager.registerSystemJob(createLogCleanup(manager, () => options.current));
  for (const job of systemJobs) manager.registerSystemJob({ ...job, options: { catchUp: "once" } });
  return {
    jobs: manager,
    fleetIssues: () => manager.fleetIssues().filter(({ status }) => status === "failing"),
    healthIssues: () => [...manager.fleetIssues(), ...issues.list()],
    async pastIssues(from, to) {
      const names = new Map(manager.scheduler.jobs().map(({ id, name }) => [id, name]));
      return findPastIssues(await overview.timeline(from, to), (id) => names.get(id) ?? id);
    },
    activeTraces: () => manager.activeTraces(),
    async limitState() {
      const state = await describeRunLimits({ ...(await manager.open()), now: clock.now() }, options.current);
      return { store: cronStore.name, ...state };
    },
    mount(router) {
      mountCron(router, manager, clock);
      mountDashboard(router, { manager, overview, clock });
    },
    chosenTimezone: () => manager.chosenTimezone(),
    open: async () => void (await manager.open()),
    async start() {
      await manager.start();
      issues.start();
    },
    stop(graceMs) {
      issues.stop();
      return manager.stop(graceMs);
    },
    close() {
      issues.stop();
      return manager.stop(0);
    },
  };
}

export const cron = defineFeature({
  name: "cron",
  reserves: ["/api/cron"],
  stores: [cronStore],
  conditions: cronConditions,
  options: [cronOptions],
  create({ storage, clock, logger, redactor, options, events, reports, instance }) {
    const cron = createCron({
      database: storage.own,
      instance,
      joinFleet: createJoinFleet({
        clock,
        shared: storage.isShared ? storage.fileOptions("annex.db") : undefined,
      }),
      clock,
      logger,
      redactor,
      options,
      systemJobs: reports.jobs.list(),
      onBegun: () => events.emit("run.begun", {}),
      onEnded: (run) => events.emit("run.ended", run),
      onChange: (change) => events.emit("job.changed", change),
    });
    reports.fleetIssues.add(cron.fleetIssues);
    reports.healthIssues.add(cron.healthIssues);
    reports.pastIssues.add(cron.pastIssues);
    reports.activeRuns.add(cron.activeTraces);
    reports.storeStates.add(cron.limitState);
    reports.fenced.add(() => cron.fleetIssues().length > 0);
    reports.ownOptions.add({
      name: "cron.timezone",
      chosen: cron.chosenTimezone,
      remedy: "use POST /api/cron/config/timezone",
    });
    return cron;
  },
});
