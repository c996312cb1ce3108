import type { StoreState } from "../../../feature/index.ts";
import { describeFit } from "../../../lib/text/describe-fit.ts";
import type { RemovalReport } from "../../../lib/time/removal.ts";
import { eachInTurns, inTurns } from "../../../lib/time/turns.ts";
import { dayMs, hourMs } from "../../../lib/time/units.ts";
import type { CronLogger } from "../logger.ts";
import type { QueueStore } from "../queue/queue-store.ts";
import type { RunHistory } from "../runs/history/run-history.ts";
import type { RunLog } from "../runs/history/run-log.ts";
import type { ExecutionLogger } from "../runs/runnable-job.ts";
import type { RunMover } from "../runs/store/move-runs.ts";
import { type PrunedGroup, PruneProgress } from "../runs/store/prune-progress.ts";
import type { Purged, PurgeSelection, RunPosition } from "../runs/store/purge-runs.ts";
import type { RunStore } from "../runs/store/run-store.ts";
import type { SchedulerSettings } from "../scheduler-settings.ts";
import type { JobParts } from "./job.ts";
import type { JobStore } from "./job-store.ts";
import type { ScheduleHistory } from "./schedule-history.ts";
import type { Scheduler } from "./scheduler.ts";

export interface Pruning {
  readonly runs: RunStore;
  readonly jobs: JobStore;
  readonly log: RunLog;
  readonly history: RunHistory;
  readonly removal: RemovalReport;
  readonly settings: SchedulerSettings;
  readonly now: number;
}

interface Cleaning extends Pruning {
  readonly queue: Pick<QueueStore, "overdueJobs" | "purge">;
  readonly mover: Pick<RunMover, "isMoving">;
  readonly schedules: Pick<ScheduleHistory, "record">;
  readonly scheduler: Pick<Scheduler, "all" | "has">;
  readonly logger: CronLogger;
}

export interface PruneLimits {
  /** Limits for all jobs without their own retention: how long runs are stored, and how many. */
  readonly retentionMs: number;
  readonly maxRuns: number;
  readonly signal: AbortSignal;
}

export interface LogLimits {
  readonly logRetentionHours: number;
  readonly maxRuns: number;
}

/** What deletes the runs: the manager. */
interface RunPruner {
  pruneRuns(limits: PruneLimits): Promise<number>;
}

/** System job that deletes expired runs from the log. One instance at a time runs it, as any job. */
export function createLogCleanup(manager: RunPruner, limits: () => LogLimits): JobParts {
  return {
    id: "__svcLogClean__",
    name: "System Log Cleanup",
    description: "Deletes job logs that have exceeded their retention.",
    schedule: "17 3 * * *",
    options: { catchUp: "once" },
    async run(log: ExecutionLogger) {
      const { logRetentionHours, maxRuns } = limits();
      const hours = Math.round(logRetentionHours * 10) / 10;
      log.start(`Deleting job logs older than ${hours} hours`);
      const retentionMs = Math.ceil(logRetentionHours * hourMs);
      const count = await manager.pruneRuns({ retentionMs, maxRuns, signal: log.signal });
      log.complete(`Deleted ${count} job ${count === 1 ? "log" : "logs"}`);
    },
  };
}

/** Deletes runs, queued runs of jobs that are gone, and the rows of such jobs. Returns the number of deleted runs. */
export async function cleanUp(cleaning: Cleaning, limits: PruneLimits): Promise<number> {
  const { mover, schedules, scheduler, now } = cleaning;
  // The oldest runs are still to be moved, and are deleted the next time.
  if (mover.isMoving) return 0;
  await abandonQueued(cleaning, now - limits.retentionMs, limits.signal);
  const count = await pruneRuns(cleaning, limits);
  await schedules.record(scheduler.all().map(({ id }) => id));
  await pruneJobs(cleaning, limits);
  return count;
}

async function abandonQueued(
  { queue, scheduler, logger }: Cleaning,
  before: number,
  signal: AbortSignal,
): Promise<void> {
  const unknown = (await queue.overdueJobs(before)).filter((id) => !scheduler.has(id));
  let count = 0;
  const purgeSome = async () => {
    const purged = await queue.purge(unknown, before, batchSize);
    count += purged;
    return purged === batchSize;
  };
  await inTurns(purgeSome, { signal, sharesCore: true });
  if (count > 0) logger.warn("Removed queued runs of jobs that are not registered", { count });
}

/** Small batches: one takes about 15 ms, during which requests wait on SQLite, and other queries wait for its locks. */
const batchSize = 100;
/** Reading runs that are left takes a few milliseconds, too. */
const passedPerBatch = 1_000;

/** Deletes runs in batches, with pauses, and shows the progress. */
export function pruneRuns(pruning: Pruning, limits: PruneLimits): Promise<number> {
  return pruning.removal.during((show) => pruneGroups(pruning, limits, new PruneProgress(pruning.now, show)));
}

async function pruneGroups(
  pruning: Pruning,
  { retentionMs, maxRuns, signal }: PruneLimits,
  progress: PruneProgress,
): Promise<number> {
  const { jobs, log, settings, history, now } = pruning;
  const own = await jobs.retentions();
  const stored = new Map((await log.sums()).map(({ jobId, executions }) => [jobId, executions]));
  const groups = [...own].map(([jobId, ownMs]): PrunedGroup & { jobId: string } => ({
    ...{ jobId, before: now - ownMs, most: Number.POSITIVE_INFINITY },
    stored: stored.get(jobId) ?? 0,
  }));
  await eachInTurns(groups, async (group) => {
    const oldest = await history.oldestStart(group.jobId);
    if (oldest !== undefined) progress.expect(group, oldest);
  });
  const before = now - retentionMs;
  const rest = [...stored].reduce((sum, [jobId, count]) => sum + (own.has(jobId) ? 0 : count), 0);
  const shared: PrunedGroup = { stored: rest, before, most: maxRuns };
  progress.expect(shared, (await history.oldestEnd()) ?? now);
  let count = 0;
  for (const group of groups) {
    const purge = { before: group.before, jobs: { id: group.jobId } };
    count += (await purgeAll(pruning, purge, { signal, onPurged: (some) => progress.add(group, some) }))
      .count;
    progress.end(group);
  }
  const onPurged = (some: Purged) => progress.add(shared, some);
  const expired = await purgeAll(pruning, { before, jobs: "shared" }, { signal, onPurged });
  const excess = Math.ceil(rest - expired.count - maxRuns);
  const excessive = await purgeAll(pruning, { jobs: "shared" }, { signal, onPurged, most: excess });
  // Deleted runs do not come back with a longer retention.
  const prunedUntil = Number((await settings.get("pruned_until")) ?? 0);
  await settings.set("pruned_until", `${Math.max(prunedUntil, before, (excessive.lastEnd ?? 0) + 1)}`);
  if (excessive.lastEnd !== undefined) await settings.set("crowded_until", `${excessive.lastEnd + 1}`);
  return count + expired.count + excessive.count;
}

/** Instances record their jobs several times in this period. */
const leastJobMs = dayMs;
const jobsPerBatch = 200;

/**
 * Deletes the stored state of jobs that no instance has had for the retention. Jobs that have runs, or are paused or
 * removed, stay.
 */
export async function pruneJobs(
  { jobs, now }: { readonly jobs: Pick<JobStore, "purge">; readonly now: number },
  { retentionMs, signal }: Omit<PruneLimits, "maxRuns">,
): Promise<void> {
  const before = now - Math.max(retentionMs, leastJobMs);
  let after = "";
  const purgeSome = async () => {
    const ids = await jobs.purge({ before, after }, jobsPerBatch);
    after = ids.at(-1) ?? after;
    return ids.length === jobsPerBatch;
  };
  await inTurns(purgeSome, { signal, sharesCore: true });
}

interface PurgeOptions {
  readonly signal: AbortSignal;
  readonly most?: number;
  onPurged(purged: Purged): void;
}

async function purgeAll(
  { runs }: Pruning,
  selection: PurgeSelection,
  { signal, most = Number.POSITIVE_INFINITY, onPurged }: PurgeOptions,
): Promise<{ count: number; lastEnd: number | undefined }> {
  let count = 0;
  let lastEnd: number | undefined;
  let after: RunPosition | undefined;
  let isPassing = false;
  const purgeSome = async () => {
    if (count >= most) return false;
    const read = isPassing ? passedPerBatch : batchSize;
    const purged = await runs.purge({ ...selection, after, read }, Math.min(batchSize, most - count));
    isPassing = purged.count === 0;
    count += purged.count;
    lastEnd = purged.lastEnd ?? lastEnd;
    after = purged.position;
    onPurged(purged);
    return purged.hasMore;
  };
  await inTurns(purgeSome, { signal, sharesCore: true });
  return { count, lastEnd };
}

/** What the limits do to stored runs. */
export async function describeRunLimits(
  { settings, removal, now }: Pick<Pruning, "settings" | "removal" | "now">,
  { logRetentionHours: hours }: LogLimits,
): Promise<Pick<StoreState, "removing" | "early">> {
  const fitting = (now - Number((await settings.get("crowded_until")) ?? 0)) / hourMs;
  const early = fitting < hours ? [`${describeFit(fitting, hours, "hour")} of job runs fit`] : undefined;
  return { removing: removal.current, early };
}
