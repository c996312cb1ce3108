import { inTurns } from "../../../lib/time/turns.ts";
import { dayMs, hourMs } from "../../../lib/time/units.ts";
import type { RunLog } from "../runs/history/run-log.ts";
import type { ExecutionLogger } from "../runs/runnable-job.ts";
import type { PurgeSelection } from "../runs/store/purge-runs.ts";
import type { RunStore } from "../runs/store/run-store.ts";
import type { SchedulerSettings } from "../scheduler-settings.ts";
import type { JobParts } from "./job.ts";
import type { JobStore } from "./job-store.ts";

export interface Pruning {
  readonly runs: RunStore;
  readonly jobs: JobStore;
  readonly log: RunLog;
  readonly settings: SchedulerSettings;
  readonly now: number;
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

/** Small batches: one takes about 15 ms, during which requests wait on SQLite, and other queries wait for its locks. */
const batchSize = 100;

/** Deletes runs in batches, with pauses. */
export async function pruneRuns(pruning: Pruning, limits: PruneLimits): Promise<number> {
  const { jobs, log, settings, now } = pruning;
  const { retentionMs, maxRuns, signal } = limits;
  const own = await jobs.retentions();
  let count = 0;
  for (const [id, ownMs] of own)
    count += (await purgeAll(pruning, { before: now - ownMs, jobs: { id } }, signal)).count;
  const before = now - retentionMs;
  count += (await purgeAll(pruning, { before, jobs: "shared" }, signal)).count;
  const rest = (await log.sums()).filter(({ jobId }) => !own.has(jobId));
  const excess = Math.ceil(rest.reduce((total, { executions }) => total + executions, 0) - maxRuns);
  const excessive = await purgeAll(pruning, { jobs: "shared" }, signal, excess);
  // Deleted runs do not come back with a longer retention.
  const prunedUntil = Number((await settings.get("pruned_until")) ?? 0);
  await settings.set("pruned_until", `${Math.max(prunedUntil, before, (excessive.lastEnd ?? 0) + 1)}`);
  return count + excessive.count;
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

async function purgeAll(
  { runs }: Pruning,
  selection: PurgeSelection,
  signal: AbortSignal,
  most = Number.POSITIVE_INFINITY,
): Promise<{ count: number; lastEnd: number | undefined }> {
  let count = 0;
  let lastEnd: number | undefined;
  const purgeSome = async () => {
    if (count >= most) return false;
    const limit = Math.min(batchSize, most - count);
    // Runs before the last deleted one belong to jobs with their own retention. They are not read again.
    const from = selection.jobs === "shared" && lastEnd !== undefined ? { from: lastEnd } : {};
    const purged = await runs.purge({ ...selection, ...from }, limit);
    count += purged.count;
    lastEnd = purged.lastEnd ?? lastEnd;
    return purged.count === limit;
  };
  await inTurns(purgeSome, { signal, sharesCore: true });
  return { count, lastEnd };
}
