import type { RootRouter } from "../http/index.ts";
import type { SystemJob } from "../lib/system-job.ts";
import { mountDashboard } from "./dashboard-routes.ts";
import { createLogCleanup } from "./log-cleanup.ts";
import { Manager, type ManagerOptions } from "./manager.ts";
import { createOverview } from "./overview.ts";
import { mountCron } from "./routes.ts";
import type { JobManager } from "./types.ts";

export interface CronOptions extends ManagerOptions {
  /** How long finished runs are kept in the log. */
  readonly retentionMs: number;
  /** What other parts of Annex want to have done. */
  readonly systemJobs?: readonly SystemJob[];
}

/** The feature as the application holds it. */
export interface Cron {
  readonly jobs: JobManager;
  mount(router: RootRouter): void;
  /** From now on finished runs are kept in the log for that long. */
  keepLogsFor(retentionMs: number): void;
  /** The zone that was chosen at run time; `undefined` if none was. */
  chosenTimezone(): Promise<string | undefined>;
  /** Reads what is kept of jobs and runs, and ends what a process that died has left running. */
  open(): Promise<void>;
  /** Begins to look after the schedules. */
  start(): Promise<void>;
  /** Ends that; runs in progress get the signal and that much time. */
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
