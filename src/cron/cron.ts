import type { RootRouter } from "../http/index.ts";
import type { SystemJob } from "../lib/system-job.ts";
import { mountDashboard } from "./dashboard-routes.ts";
import { createLogCleanup } from "./log-cleanup.ts";
import { Manager, type ManagerOptions } from "./manager.ts";
import { createOverview } from "./overview.ts";
import { mountCron } from "./routes.ts";
import type { JobManager } from "./types.ts";

export interface CronOptions extends ManagerOptions {
  /** Retention of finished runs in the log. */
  readonly retentionMs: number;
  /** System jobs of other features. */
  readonly systemJobs?: readonly SystemJob[];
}

/** The cron feature as used by the application. */
export interface Cron {
  readonly jobs: JobManager;
  mount(router: RootRouter): void;
  /** Changes the retention of finished runs. */
  keepLogsFor(retentionMs: number): void;
  /** Time zone set at run time; `undefined` if none was set. */
  chosenTimezone(): Promise<string | undefined>;
  /** Loads stored job state and marks runs of crashed processes as interrupted. */
  open(): Promise<void>;
  /** Starts the scheduler. */
  start(): Promise<void>;
  /** Stops the scheduler. Runs in progress are aborted and get `graceMs` to finish. */
  stop(graceMs: number): Promise<void>;
}

export function createCron({ systemJobs = [], ...options }: CronOptions): Cron {
  const { clock } = options;
  let { retentionMs } = options;
  const manager = new Manager(options);
  manager.registerSystemJob(createLogCleanup(manager, () => retentionMs));
  for (const job of systemJobs) manager.registerSystemJob({ ...job, options: { catchUp: "once" } });
  return {
    jobs: manager,
    mount(router) {
      mountCron(router, manager, clock);
      mountDashboard(router, { manager, overview: createOverview(manager, clock), clock });
    },
    keepLogsFor(milliseconds) {
      retentionMs = milliseconds;
    },
    chosenTimezone: () => manager.chosenTimezone(),
    open: async () => void (await manager.open()),
    start: () => manager.start(),
    stop: (graceMs) => manager.stop(graceMs),
  };
}
