import type { EndedRun, JobChange } from "../../../feature/index.ts";
import { defined } from "../../../lib/defined.ts";
import { createId, createTraceId } from "../../../lib/ids.ts";
import type { Redactor } from "../../../lib/redaction/redactor.ts";
import type { AlarmClock } from "../../../lib/time/clock.ts";
import { RemovalReport } from "../../../lib/time/removal.ts";
import type { Database } from "../../../storage/index.ts";
import { readFleetStatus } from "../cluster/fleet-status.ts";
import { createSoleMembership, type FleetParts, type Membership } from "../cluster/membership.ts";
import type { SharedClock } from "../cluster/shared-clock.ts";
import { type Limits, noLimits } from "../limits/limits.ts";
import type { CronLogger } from "../logger.ts";
import { createQueueStore, type QueueStore } from "../queue/queue-store.ts";
import { createRunHistory, type RunHistory } from "../runs/history/run-history.ts";
import { createRunLog, type RunLog } from "../runs/history/run-log.ts";
import { Runner } from "../runs/runner.ts";
import { RunMover } from "../runs/store/move-runs.ts";
import { createRunStore, type RunStore } from "../runs/store/run-store.ts";
import { createSchedulerSettings, type SchedulerSettings } from "../scheduler-settings.ts";
import { CatchUp } from "./catch-up.ts";
import { JobState } from "./job-state.ts";
import { createJobStore, type JobStore } from "./job-store.ts";
import { QueuePoller } from "./queue-poller.ts";
import { QueuedRuns } from "./queued-runs.ts";
import { RunRecovery } from "./run-recovery.ts";
import { ScheduleHistory } from "./schedule-history.ts";
import type { Scheduler } from "./scheduler.ts";
import { TickShares } from "./tick-shares.ts";

export interface ManagerOptions {
  /** Returns the database, opened and migrated. Other processes use it only if the engine supports that. */
  database(): Promise<Database>;
  readonly clock: AlarmClock;
  readonly logger: CronLogger;
  /** Time zone used until another one is set at run time. */
  readonly timezone: string;
  /** The name of this instance, for people. */
  readonly instance?: string;
  /** Whether this instance runs jobs. If not, it only serves. Default true. */
  readonly runsJobs?: boolean;
  /** How many runs may be in progress. Default: any number. */
  readonly limits?: Limits;
  /** Creates the membership among the instances that share the database. Default: there are no others. */
  joinFleet?(parts: FleetParts): Membership;
  /** Redacts the output of runs. Default: the names that are always redacted. */
  readonly redactor?: Redactor;
  /** Called for each run that is about to start in this process. */
  onBegun?(): void;
  /** Called for each run that ends in this process. */
  onEnded?(run: EndedRun): void;
  /** Called for each change to jobs and schedules made in this process. */
  onChange?(change: JobChange): void;
}

/** Components that need the database; available once it is open. */
export interface ManagerParts {
  readonly runs: RunStore;
  readonly log: RunLog;
  readonly history: RunHistory;
  readonly jobs: JobStore;
  readonly settings: SchedulerSettings;
  readonly queue: QueueStore;
  readonly queued: QueuedRuns;
  readonly membership: Membership;
  readonly runner: Runner;
  readonly state: JobState;
  readonly recovery: RunRecovery;
  readonly schedules: ScheduleHistory;
  readonly poller: QueuePoller;
  readonly mover: RunMover;
  readonly shares: TickShares;
  readonly catchUp: CatchUp;
  /** The deletion of runs that exceed a limit. */
  readonly removal: RemovalReport;
}

export interface PartsOptions extends Omit<ManagerOptions, "clock" | "database" | "timezone"> {
  readonly database: Database;
  readonly clock: SharedClock;
  readonly scheduler: Scheduler;
  /** Whether the scheduler starts runs. */
  isTicking(): boolean;
}

/** Connects the components. Nothing is started. */
export function createParts(options: PartsOptions): ManagerParts {
  const { database, clock, scheduler, logger, onBegun, onEnded, onChange, redactor, isTicking } = options;
  const { joinFleet = createSoleMembership, limits = noLimits, runsJobs = true } = options;
  const instance = createId();
  const { instance: instanceName = instance } = options;
  const isShared = database.engine === "postgres";
  // A sole membership has no lease.
  const needsLease = isShared && options.joinFleet !== undefined;
  const runs = createRunStore(database, { limits: limits.groups, needsLease });
  const jobs = createJobStore(database);
  const settings = createSchedulerSettings(database);
  const queue = createQueueStore(database);
  const onQueued = (runAt: number) => poller.wake(runAt);
  const membership = joinFleet({
    ...{ database, clock, logger, id: instance, name: instanceName, runsJobs },
    onLost: () => runner.abandonAll(),
  });
  const mayRun = () => membership.isMember;
  const runner = new Runner({
    ...{ clock, store: runs, logger, instance, instanceName, limits, mayRun, onQueued },
    ...defined({ onBegun, onEnded, redactor }),
    createRunId: createId,
    createTraceId,
    currentJob: (id) => scheduler.wanted(id),
    onEarly: (request) => scheduler.putBack(request),
    instanceCount: () => recovery.instanceCount,
  });
  const state = new JobState(defined({ jobs, settings, scheduler, clock, logger, onChange }));
  const recovery = new RunRecovery({
    ...{ instance, clock, logger, runs, settings, membership, runner, isShared, isTicking, onQueued },
    readStatus: () => readFleetStatus(database, instance),
    applyStoredChanges: (changes) => state.loadChanges(changes),
  });
  const poller = new QueuePoller({
    ...{ clock, logger, queue, isShared, mayRun },
    findJob: (id) => scheduler.findRunnable(id),
    isRemoved: (id) => scheduler.isRemoved(id),
    hasRoom: () => runner.hasRoom,
    run: (requests) => runner.runQueued(requests),
  });
  return {
    ...{ runs, jobs, settings, queue, membership, runner, state, recovery, poller },
    removal: new RemovalReport(),
    log: createRunLog(database),
    history: createRunHistory(database),
    queued: new QueuedRuns(defined({ clock, queue, onAdded: onQueued, onChange })),
    schedules: new ScheduleHistory({
      ...{ jobs, scheduler, clock, logger },
      instanceCount: () => recovery.instanceCount,
    }),
    mover: new RunMover({ database, logger }),
    shares: new TickShares({ runner, runs, fleet: recovery }),
    catchUp: new CatchUp({
      ...{ jobs, scheduler, clock, runsJobs },
      runTicks: (requests) => runner.runTicks(requests),
    }),
  };
}
