import { defined } from "../../../lib/defined.ts";
import type { Clock } from "../../../lib/time/clock.ts";
import { JOB_UNKNOWN } from "../errors.ts";
import type { Job, SchedulerStatus } from "../jobs/job-manager.ts";
import type { JobRow } from "../jobs/job-store.ts";
import type { Manager } from "../jobs/manager.ts";
import { lastTick, nextTicks } from "../planning/calendar.ts";
import { describeSchedule } from "../planning/describe-schedule.ts";
import { parseSchedule } from "../planning/schedule.ts";
import { parseTimezone } from "../planning/timezone.ts";
import { type Analytics, toAnalytics } from "../runs/history/analytics.ts";
import type { JobHistory, RecentRun, RunBar, RunDot, RunInProgress } from "../runs/history/run-history.ts";
import type { JobSums } from "../runs/history/run-log.ts";
import { tickName } from "../tick-name.ts";
import {
  type Bounded,
  findMissed,
  type KnownPlan,
  type MissedTick,
  type Planned,
  type PlannedTick,
  planBetween,
} from "./timeline.ts";
import { compareZones, type ZoneChange } from "./zone-change.ts";

/** A job with the data shown in the job list. */
export interface JobSummary {
  readonly job: Job;
  readonly scheduleWords: string;
  readonly running: readonly RunInProgress[];
  readonly history: JobHistory;
  /**
   * Ratio of the durations of the newest third of recent runs to the oldest third; absent if there are too few runs.
   */
  readonly trend?: number;
  readonly runsKept: number;
  readonly failedKept: number;
}

export interface JobList {
  readonly status: SchedulerStatus;
  readonly analytics: Analytics;
  readonly jobs: readonly JobSummary[];
  readonly isTruncated: boolean;
}

export interface JobPage {
  readonly summary: JobSummary;
  readonly nextRuns: readonly Date[];
  readonly runs: readonly RunDot[];
}

export interface Timeline {
  readonly now: number;
  readonly runs: Bounded<RunBar>;
  readonly planned: Bounded<Planned>;
  readonly missed: Bounded<MissedTick>;
}

/** The latest results of an active job. */
export interface JobOutcome {
  readonly job: Job;
  /** Newest first. */
  readonly recent: readonly RecentRun[];
  /** Time between two ticks. */
  readonly intervalMs: number;
  /** The last tick, if it was not run. */
  readonly missedAt?: number;
}

/** Job data for the dashboard. The size of each response is limited, regardless of the number of jobs and runs. */
export interface Overview {
  list(options: { removed: boolean; search?: string | undefined }): Promise<JobList>;
  /** Returns one job, including removed ones. Throws 404 if it does not exist. */
  job(id: string): Promise<JobPage>;
  timeline(from: number, to: number, now?: number): Promise<Timeline>;
  /** The last runs of each active job, and whether its last tick was missed. */
  outcomes(): Promise<JobOutcome[]>;
  zoneChange(timezone: string): Promise<ZoneChange & { timezone: string; current: string }>;
}

const maxJobs = 1_000;
/** Maximum number of cached histories. */
const maxKnown = 2 * maxJobs;
const maxDrawn = 2_000;
const maxDots = 500;
/** A run that has just become due may not be stored yet. */
const graceMs = 120_000;
const ticksPerStatement = 500;
/** Older ticks are not looked for: more than a month, because some jobs run monthly. */
const longestIntervalMs = 32 * 24 * 60 * 60_000;

export function createOverview(manager: Manager, clock: Clock): Overview {
  const { scheduler } = manager;
  const readHistory = createHistoryCache(manager);

  async function summarize(jobs: readonly Job[], allSums: readonly JobSums[]): Promise<JobSummary[]> {
    const { history } = await manager.open();
    const sums = new Map(allSums.map((ofJob) => [ofJob.jobId, ofJob]));
    const running = Map.groupBy(await history.inProgress(), ({ jobId }) => jobId);
    const histories = await readHistory(jobs, sums);
    return jobs.map((job) => {
      const { executions = 0, failedCount = 0 } = sums.get(job.id) ?? {};
      const ofJob = histories.get(job.id) ?? { recent: [] };
      return defined({
        job,
        scheduleWords: describeSchedule(parseSchedule(job.schedule)),
        running: running.get(job.id) ?? [],
        history: ofJob,
        trend: trendOf(ofJob.recent),
        runsKept: executions,
        failedKept: failedCount,
      });
    });
  }

  /** Active jobs, each with the period for which the outcome of every tick is known. */
  async function knownPlans(from: number, to: number): Promise<KnownPlan[]> {
    const { jobs, history, settings, mover } = await manager.open();
    const rows = new Map((await jobs.all()).map((row) => [row.job_id, row]));
    const running = Map.groupBy(await history.inProgress(), ({ jobId }) => jobId);
    // Runs that ended before the first one in the log have been deleted.
    const known = mover.isMoving ? undefined : await settings.get("pruned_until");
    const prunedUntil = Number(known ?? (await history.oldestEnd()) ?? 0);
    return activeJobs().flatMap((job) => {
      const since = plannedSince(rows.get(job.id), scheduler.planOf(job));
      if (since === undefined) return [];
      const mayWait = job.overlap === "queue" || job.catchUp === "once";
      const busySince = (running.get(job.id) ?? []).map(({ scheduledAt }) => scheduledAt - 1);
      const waitingSince = manager.waitingSince(job, rows.get(job.id)?.last_run) - 1;
      const until = Math.min(to - 1, clock.now() - graceMs, waitingSince, ...(mayWait ? busySince : []));
      const forgotten = job.retentionMs === undefined ? prunedUntil : clock.now() - job.retentionMs;
      return [{ ...toTimelineJob(job), after: Math.max(from - 1, since, forgotten), until }];
    });
  }

  const activeJobs = () => scheduler.jobs().filter(({ id }) => !scheduler.isPaused(id));

  const toTimelineJob = (job: ReturnType<typeof activeJobs>[number]) => ({
    id: job.id,
    schedule: job.schedule,
    overlap: job.overlap,
    zone: scheduler.zoneOf(job),
  });

  function intervalOf(job: ReturnType<typeof activeJobs>[number]): number {
    const [one, other] = nextTicks(job.schedule, scheduler.zoneOf(job), clock.now(), 2);
    return one === undefined || other === undefined ? Number.POSITIVE_INFINITY : other - one;
  }

  async function haveRun(ticks: readonly PlannedTick[]): Promise<Set<PlannedTick>> {
    const { runs } = await manager.open();
    const done = new Set<PlannedTick>();
    for (let start = 0; start < ticks.length; start += ticksPerStatement) {
      const some = ticks.slice(start, start + ticksPerStatement);
      const found = await runs.findTicks(some.map(({ jobId, time }) => tickName(jobId, time)));
      for (const tick of some) if (found.has(tickName(tick.jobId, tick.time))) done.add(tick);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return done;
  }

  return {
    async list({ removed, search }) {
      const { log } = await manager.open();
      const wanted = search?.toLowerCase() ?? "";
      const isWanted = ({ id, name }: Job) => `${id}\n${name}`.toLowerCase().includes(wanted);
      const jobs = (await manager.list({ removed })).filter(isWanted);
      const sums = await log.sums();
      return {
        status: await manager.status(),
        analytics: toAnalytics(sums),
        jobs: await summarize(jobs.slice(0, maxJobs), sums),
        isTruncated: jobs.length > maxJobs,
      };
    },

    async job(id) {
      const job = (await manager.list({ removed: true })).find((each) => each.id === id);
      if (!job) throw JOB_UNKNOWN(id);
      const { history, log } = await manager.open();
      const [summary] = await summarize([job], await log.sums());
      const nextRuns = job.isRemoved ? [] : manager.nextRuns(id);
      return { summary: summary!, nextRuns, runs: await history.latest(id, maxDots) };
    },

    async timeline(from, to, now = clock.now()) {
      const { history } = await manager.open();
      const bars = await history.between(from, to, maxDrawn + 1);
      const runs = { items: bars.slice(0, maxDrawn), isTruncated: bars.length > maxDrawn };
      const planned = planBetween(activeJobs().map(toTimelineJob), Math.max(from, now + 1), to, maxDrawn);
      const plans = await knownPlans(from, to);
      const missed = await findMissed(plans, { most: maxDrawn, bars: runs.items, haveRun });
      return { now, runs, planned, missed };
    },

    async outcomes() {
      const { log, history } = await manager.open();
      const active = new Map(activeJobs().map((job) => [job.id, job]));
      const jobs = (await manager.list({ removed: false })).filter(({ id }) => active.has(id));
      const sums = await log.sums();
      const histories = await readHistory(jobs, new Map(sums.map((ofJob) => [ofJob.jobId, ofJob])));
      const plans = await knownPlans(clock.now() - longestIntervalMs, clock.now());
      const ticks = plans.flatMap(({ id, schedule, zone, after, until }) => {
        const time = after < until ? lastTick(schedule, zone, after, until) : undefined;
        return time === undefined ? [] : [{ jobId: id, time }];
      });
      const done = await haveRun(ticks);
      const isRunning = new Set((await history.inProgress()).map(({ jobId }) => jobId));
      // A tick during a run is skipped on purpose.
      const isSkipped = ({ jobId, time }: PlannedTick) => {
        const [last] = histories.get(jobId)?.recent ?? [];
        return isRunning.has(jobId) || (last !== undefined && last.startedAt + last.durationMs >= time);
      };
      const missed = new Map(
        ticks.filter((tick) => !done.has(tick) && !isSkipped(tick)).map(({ jobId, time }) => [jobId, time]),
      );
      return jobs.map((job) =>
        defined({
          job,
          recent: histories.get(job.id)?.recent ?? [],
          intervalMs: intervalOf(active.get(job.id)!),
          missedAt: missed.get(job.id),
        }),
      );
    },

    async zoneChange(name) {
      const timezone = parseTimezone(name);
      const current = parseTimezone((await manager.status()).timezone);
      const jobs = activeJobs().filter((job) => job.timezone === undefined);
      const change = compareZones(jobs, { before: current, after: timezone }, clock.now());
      return { timezone: timezone.name, current: current.name, ...change };
    },
  };
}

function plannedSince(row: JobRow | undefined, plan: string): number | undefined {
  return row?.planned_as === plan ? (row.planned_since ?? undefined) : undefined;
}

/** Caches job histories. A history is read again only after a run of the job has ended or was deleted. */
function createHistoryCache(manager: Manager) {
  const known = new Map<string, { state: string; history: JobHistory }>();

  return async (
    jobs: readonly Job[],
    sums: ReadonlyMap<string, JobSums>,
  ): Promise<Map<string, JobHistory>> => {
    const { history } = await manager.open();
    const stateOf = ({ id, lastRun }: Job) => {
      const { successCount, failedCount, durationMs } = sums.get(id)!;
      return `${successCount} ${failedCount} ${durationMs} ${lastRun?.getTime()}`;
    };
    const withRuns = jobs.filter(({ id }) => sums.has(id));
    const stale = withRuns.filter((job) => known.get(job.id)?.state !== stateOf(job));
    const read = await history.ofJobs(stale.map(({ id }) => id));
    const found = new Map(
      withRuns.map(({ id }) => [id, read.get(id) ?? known.get(id)?.history ?? { recent: [] }]),
    );
    if (known.size + stale.length > maxKnown) known.clear();
    for (const job of stale) known.set(job.id, { state: stateOf(job), history: found.get(job.id)! });
    return found;
  };
}

const leastForTrend = 9;

/** Median duration of the newest third divided by that of the oldest third. */
function trendOf(newestFirst: readonly RecentRun[]): number | undefined {
  if (newestFirst.length < leastForTrend) return undefined;
  const third = Math.floor(newestFirst.length / 3);
  const before = medianDuration(newestFirst.slice(-third));
  // No ratio exists for a duration of zero.
  if (before === 0) return undefined;
  return Math.round((medianDuration(newestFirst.slice(0, third)) / before) * 100) / 100;
}

function medianDuration(runs: readonly RecentRun[]): number {
  const sorted = runs.map(({ durationMs }) => durationMs).sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
