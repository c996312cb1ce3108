import { defined } from "../../../lib/defined.ts";
import type { Clock } from "../../../lib/time/clock.ts";
import { JOB_UNKNOWN } from "../errors.ts";
import type { JobDefinition } from "../jobs/job.ts";
import type { Job, SchedulerStatus } from "../jobs/job-manager.ts";
import type { Manager } from "../jobs/manager.ts";
import { lastTick, nextTicks } from "../planning/calendar.ts";
import { parseTimezone } from "../planning/timezone.ts";
import { type Analytics, toAnalytics } from "../runs/history/analytics.ts";
import type { RecentRun, RunBar, RunDot } from "../runs/history/run-history.ts";
import { JobSummaries, type JobSummary } from "./job-summaries.ts";
import { JobTicks } from "./job-ticks.ts";
import {
  type Bounded,
  findMissed,
  type MissedTick,
  type Planned,
  type PlannedTick,
  planBetween,
} from "./timeline.ts";
import { compareZones, type ZoneChange } from "./zone-change.ts";

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
const maxDrawn = 2_000;
const maxDots = 500;
/** Older ticks are not looked for: more than a month, because some jobs run monthly. */
const longestIntervalMs = 32 * 24 * 60 * 60_000;

export function createOverview(manager: Manager, clock: Clock): Overview {
  const { scheduler } = manager;
  const summaries = new JobSummaries(manager);
  const ticks = new JobTicks(manager, clock);

  function intervalOf(job: JobDefinition): number {
    const [one, other] = nextTicks(job.schedule, scheduler.zoneOf(job), clock.now(), 2);
    return one === undefined || other === undefined ? Number.POSITIVE_INFINITY : other - one;
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
        jobs: await summaries.of(jobs.slice(0, maxJobs), sums),
        isTruncated: jobs.length > maxJobs,
      };
    },

    async job(id) {
      const job = (await manager.list({ removed: true })).find((each) => each.id === id);
      if (!job) throw JOB_UNKNOWN(id);
      const { history, log } = await manager.open();
      const [summary] = await summaries.of([job], await log.sums());
      const nextRuns = job.isRemoved ? [] : manager.nextRuns(id);
      return { summary: summary!, nextRuns, runs: await history.latest(id, maxDots) };
    },

    async timeline(from, to, now = clock.now()) {
      const { history } = await manager.open();
      const bars = await history.between(from, to, maxDrawn + 1);
      const runs = { items: bars.slice(0, maxDrawn), isTruncated: bars.length > maxDrawn };
      const planned = planBetween(ticks.planned(), Math.max(from, now + 1), to, maxDrawn);
      const plans = await ticks.knownPlans(from, to);
      const missed = await findMissed(plans, {
        most: maxDrawn,
        bars: runs.items,
        haveRun: (some) => ticks.haveRun(some),
      });
      return { now, runs, planned, missed };
    },

    async outcomes() {
      const { log, history } = await manager.open();
      const active = new Map(ticks.activeJobs().map((job) => [job.id, job]));
      const jobs = (await manager.list({ removed: false })).filter(({ id }) => active.has(id));
      const sums = await log.sums();
      const histories = await summaries.histories(jobs, new Map(sums.map((ofJob) => [ofJob.jobId, ofJob])));
      const plans = await ticks.knownPlans(clock.now() - longestIntervalMs, clock.now());
      const last = plans.flatMap(({ id, schedule, zone, after, until }) => {
        const time = after < until ? lastTick(schedule, zone, after, until) : undefined;
        return time === undefined ? [] : [{ jobId: id, time }];
      });
      const done = await ticks.haveRun(last);
      const isRunning = new Set((await history.inProgress()).map(({ jobId }) => jobId));
      // A tick during a run is skipped on purpose.
      const isSkipped = ({ jobId, time }: PlannedTick) => {
        const [run] = histories.get(jobId)?.recent ?? [];
        return isRunning.has(jobId) || (run !== undefined && run.startedAt + run.durationMs >= time);
      };
      const missed = new Map(
        last.filter((tick) => !done.has(tick) && !isSkipped(tick)).map(({ jobId, time }) => [jobId, time]),
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
      const jobs = ticks.activeJobs().filter((job) => job.timezone === undefined);
      const change = compareZones(jobs, { before: current, after: timezone }, clock.now());
      return { timezone: timezone.name, current: current.name, ...change };
    },
  };
}
