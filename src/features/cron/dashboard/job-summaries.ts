import { defined } from "../../../lib/defined.ts";
import type { Job } from "../jobs/job-manager.ts";
import type { Manager } from "../jobs/manager.ts";
import { describeSchedule } from "../planning/describe-schedule.ts";
import { parseSchedule } from "../planning/schedule.ts";
import type { JobHistory, RecentRun, RunInProgress } from "../runs/history/run-history.ts";
import type { JobSums } from "../runs/history/run-log.ts";

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

/** Maximum number of cached histories. */
const maxKnown = 2_000;

/** Describes jobs with their runs. A history is read again only after a run of the job has ended or was deleted. */
export class JobSummaries {
  private readonly manager: Manager;
  private readonly known = new Map<string, { state: string; history: JobHistory }>();

  constructor(manager: Manager) {
    this.manager = manager;
  }

  async of(jobs: readonly Job[], allSums: readonly JobSums[]): Promise<JobSummary[]> {
    const { history } = await this.manager.open();
    const sums = new Map(allSums.map((ofJob) => [ofJob.jobId, ofJob]));
    const running = Map.groupBy(await history.inProgress(), ({ jobId }) => jobId);
    const histories = await this.histories(jobs, sums);
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

  async histories(
    jobs: readonly Job[],
    sums: ReadonlyMap<string, JobSums>,
  ): Promise<Map<string, JobHistory>> {
    const { history } = await this.manager.open();
    const stateOf = ({ id, lastRun }: Job) => {
      const { successCount, failedCount, durationMs } = sums.get(id)!;
      return `${successCount} ${failedCount} ${durationMs} ${lastRun?.getTime()}`;
    };
    const withRuns = jobs.filter(({ id }) => sums.has(id));
    const stale = withRuns.filter((job) => this.known.get(job.id)?.state !== stateOf(job));
    const read = await history.ofJobs(stale.map(({ id }) => id));
    const found = new Map(
      withRuns.map(({ id }) => [id, read.get(id) ?? this.known.get(id)?.history ?? { recent: [] }]),
    );
    if (this.known.size + stale.length > maxKnown) this.known.clear();
    for (const job of stale) this.known.set(job.id, { state: stateOf(job), history: found.get(job.id)! });
    return found;
  }
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
