import type { Check, Evidence } from "../evidence.ts";
import { giveUpMs, isTick, nameTick, noticeMs } from "../evidence.ts";
import type { StoredRun } from "../records.ts";

const minuteMs = 60_000;
/** The difference between two clocks of one machine, and the precision of the offset that an instance estimates. */
const earlyMs = 100;

/** By the rows and, independently of them, by the calls. */
export const findRepeated: Check = ({ runs, calls }) => {
  const attempts = countBy(
    runs.filter(isTick),
    ({ job_id, scheduled_at, attempt }) => `${nameTick(job_id, scheduled_at)}, attempt ${attempt}`,
  );
  const attemptOf = new Map(runs.map(({ id, attempt, trigger }) => [id, trigger === "manual" ? 0 : attempt]));
  const firstCalls = calls.filter(({ run }) => attemptOf.get(run) === 1);
  return [
    ...repeated(attempts).map((name) => `${name}: stored more than once`),
    ...repeated(countBy(calls, ({ run }) => run)).map((run) => `run ${run}: called more than once`),
    ...repeated(countBy(firstCalls, ({ job, tick }) => nameTick(job, tick))).map(
      (name) => `${name}: called for the first attempt more than once`,
    ),
  ];
};

/** A tick may be missing only if a run of the job was in progress, and the job does not allow overlaps. */
export const findMissing: Check = ({ jobs, runs, window }) => {
  const byJob = Map.groupBy(runs, ({ job_id }) => job_id);
  return jobs.flatMap((job) => {
    const own = byJob.get(job.id) ?? [];
    const begun = new Set(own.map(({ scheduled_at }) => scheduled_at));
    return ticksOf(window)
      .filter(
        (tick) => !begun.has(tick) && !(job.overlap === "skip" && own.some((run) => mayBlock(run, tick))),
      )
      .map((tick) => `${nameTick(job.id, tick)}: did not begin`);
  });
};

function ticksOf({ from, to }: Evidence["window"]): number[] {
  const ticks: number[] = [];
  const first = Math.ceil(from / minuteMs) * minuteMs;
  for (let tick = first; tick < to - giveUpMs; tick += minuteMs) ticks.push(tick);
  return ticks;
}

/** The end of an interrupted run is the last sign of its process, and others noticed it later. */
function mayBlock(run: StoredRun, tick: number): boolean {
  const until = run.ended_at + (run.status === "interrupted" ? 2 * giveUpMs : noticeMs);
  return run.scheduled_at < tick && run.started_at < tick + giveUpMs && until >= tick;
}

export const findUnmatched: Check = ({ runs, calls, jobs }) => {
  const known = new Set(runs.map(({ id }) => id));
  const called = new Set(calls.map(({ run }) => run));
  const own = new Set(jobs.map(({ id }) => id));
  return [
    ...calls
      .filter(({ run }) => !known.has(run))
      .map(({ run, job }) => `${job}: call ${run} has no run in the database`),
    ...runs
      .filter(({ id, job_id, status }) => own.has(job_id) && !called.has(id) && status !== "interrupted")
      .map(({ id, job_id, status }) => `${job_id}: run ${id} is ${status}, but its function was not called`),
  ];
};

export const findEarly: Check = ({ runs, calls, wallShiftMs }) => {
  const ticks = new Set(runs.filter(isTick).map(({ id }) => id));
  return calls.flatMap(({ run, job, tick, begin, instance }) => {
    const early = Math.round(tick - (begin + wallShiftMs));
    return ticks.has(run) && early > earlyMs
      ? [`${nameTick(job, tick)}: ${early} ms early on ${instance}`]
      : [];
  });
};

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}

const repeated = (counts: Map<string, number>) =>
  [...counts].flatMap(([key, count]) => (count > 1 ? [key] : []));
