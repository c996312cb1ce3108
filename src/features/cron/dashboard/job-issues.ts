import type { HealthIssue, PastIssue } from "../../../feature/index.ts";
import type { AlarmClock } from "../../../lib/time/clock.ts";
import { hourMs, minuteMs } from "../../../lib/time/units.ts";
import type { JobOutcome, Timeline } from "./overview.ts";

export interface JobIssuesOptions {
  readonly clock: AlarmClock;
  outcomes(): Promise<readonly JobOutcome[]>;
}

/** Jobs that fail or were missed, for the health status. */
export interface JobIssues {
  list(): readonly HealthIssue[];
  /** Call it when a run has ended. */
  runEnded(jobId: string, status: string): void;
  start(): void;
  stop(): void;
}

/** Missed ticks, and runs of other instances, are found this often. */
const everyMs = minuteMs;
/** Several runs that end together are read once. */
const soonMs = 1_000;

export function createJobIssues({ clock, outcomes }: JobIssuesOptions): JobIssues {
  let issues: readonly HealthIssue[] = [];
  let cancel: (() => void) | undefined;
  let isStopped = true;

  function schedule(ms: number): void {
    cancel?.();
    cancel = isStopped
      ? undefined
      : clock.after(ms, () => {
          cancel = undefined;
          void refresh();
        });
  }

  async function refresh(): Promise<void> {
    try {
      issues = (await outcomes()).flatMap(findIssues);
    } catch {
      // The database reports its own failures. The previous issues remain.
    } finally {
      // A run that ended meanwhile has scheduled the next read sooner.
      if (!cancel) schedule(everyMs);
    }
  }

  return {
    list: () => issues,
    runEnded(jobId, status) {
      if (status !== "success" || issues.some(({ id }) => id === idOf(jobId))) schedule(soonMs);
    },
    start() {
      isStopped = false;
      schedule(soonMs);
    },
    stop() {
      isStopped = true;
      cancel?.();
    },
  };
}

/** Jobs that failed or were missed in a period. */
export function findPastIssues(
  { runs, missed }: Pick<Timeline, "runs" | "missed">,
  nameOf: (jobId: string) => string,
): PastIssue[] {
  const failed = [...Map.groupBy(runs.items, ({ jobId }) => jobId)].flatMap(([jobId, all]) => {
    const ended = all.filter(({ endedAt }) => endedAt !== undefined);
    const bad = ended.filter(({ status }) => status !== "success");
    if (bad.length === 0) return [];
    const name = `Job "${bad[0]!.jobName}"`;
    const message =
      ended.length === 1 ? `${name} failed.` : `${name} failed in ${bad.length} of ${ended.length} runs.`;
    return [
      {
        ...issueOf(jobId),
        message,
        since: Math.min(...bad.map(({ startedAt }) => startedAt)),
        until: Math.max(...bad.map(({ endedAt }) => endedAt!)),
      },
    ];
  });
  const lost = missed.items.filter(({ isOverlap }) => !isOverlap);
  const skipped = [...Map.groupBy(lost, ({ jobId }) => jobId)].map(([jobId, ticks]) => ({
    ...issueOf(jobId),
    id: `missed ${jobId}`,
    message: `Job "${nameOf(jobId)}" missed ${ticks.length === 1 ? "a run" : `${ticks.length} runs`}.`,
    since: ticks[0]!.time,
    until: ticks.at(-1)!.time,
  }));
  return [...failed, ...skipped];
}

/** One failure of a frequent job may be chance. A job that runs once a day has no second chance soon. */
const leastFailures = 2;
const isRare = (intervalMs: number) => intervalMs >= hourMs;

const idOf = (jobId: string) => `job ${jobId}`;

function issueOf(job: string) {
  return { id: idOf(job), status: "degraded", link: { page: "cron", params: { job } } } as const;
}

function findIssues({ job, recent, intervalMs, missedAt }: JobOutcome): HealthIssue[] {
  const issue = issueOf(job.id);
  const name = `Job "${job.name}"`;
  if (missedAt !== undefined)
    return [{ ...issue, message: `${name} did not run at its last scheduled time.`, since: missedAt }];
  const success = recent.findIndex(({ status }) => status === "success");
  const failures = success === -1 ? recent.length : success;
  if (failures === 0 || (failures < leastFailures && !isRare(intervalMs))) return [];
  const times = success === -1 && failures >= mostCounted ? `at least ${failures}` : failures;
  const message =
    failures === 1 ? `${name} failed in its last run.` : `${name} failed ${times} times in a row.`;
  return [{ ...issue, message, since: recent[failures - 1]!.startedAt }];
}

/** The number of recent runs that are read. */
const mostCounted = 30;
