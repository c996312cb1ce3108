import { minuteMs } from "../../../lib/time/units.ts";
import { nextTick } from "../planning/calendar.ts";
import type { Schedule } from "../planning/schedule.ts";
import type { Timezone } from "../planning/timezone.ts";
import type { RunBar } from "../runs/history/run-history.ts";
import type { Overlap } from "../runs/runnable-job.ts";

/** The scheduling data of a job. */
export interface TimelineJob {
  readonly id: string;
  readonly schedule: Schedule;
  readonly zone: Timezone;
  readonly overlap: Overlap;
}

export interface PlannedTick {
  readonly jobId: string;
  readonly time: number;
}

/** A series of ticks with a constant interval; the first and last times are ticks, too. */
export interface PlannedBand {
  readonly jobId: string;
  readonly everyMs: number;
  readonly from: number;
  readonly to: number;
}

export type Planned = PlannedTick | PlannedBand;

/** A list that may be truncated. */
export interface Bounded<T> {
  readonly items: readonly T[];
  readonly isTruncated: boolean;
}

/** Maximum number of ticks computed per response, at about 1 µs each. */
const maxCounted = 20_000;
/** Minimum number of evenly spaced ticks that are combined into a band. */
const leastInBand = 12;

/** Upcoming ticks in a period, limited and distributed evenly among the jobs. */
export function planBetween(
  jobs: readonly TimelineJob[],
  from: number,
  to: number,
  most: number,
): Bounded<Planned> {
  let left = maxCounted;
  let isTruncated = false;
  const plans = jobs.map((job, index) => {
    const band = findBand(job, from, to);
    if (band) return [band];
    const ticks = countTicks(job, from - 1, to - 1, Math.ceil(left / (jobs.length - index)));
    left = Math.max(0, left - ticks.items.length);
    isTruncated ||= ticks.isTruncated;
    return joinEven(job.id, ticks.items);
  });
  const soonestFirst = plans
    .filter((plan) => plan.length > 0)
    .sort(([one], [other]) => beginOf(one!) - beginOf(other!));
  const items = takeFairly(soonestFirst, most);
  const total = plans.reduce((sum, plan) => sum + plan.length, 0);
  return { items, isTruncated: isTruncated || items.length < total };
}

/** Returns the ticks after `after` and up to `until`, and whether there are more than `most`. */
function countTicks(
  { schedule, zone }: TimelineJob,
  after: number,
  until: number,
  most: number,
): Bounded<number> {
  const items: number[] = [];
  let tick = nextTick(schedule, zone, after);
  while (tick !== undefined && tick <= until && items.length < most) {
    items.push(tick);
    tick = nextTick(schedule, zone, tick);
  }
  return { items, isTruncated: tick !== undefined && tick <= until };
}

/** Like `countTicks`, but returns the newest ticks if there are too many. */
export function countNewestTicks(
  job: TimelineJob,
  after: number,
  until: number,
  most: number,
): Bounded<number> {
  for (let begin = after; begin < until; begin += Math.ceil((until - begin) / 2)) {
    const { items, isTruncated } = countTicks(job, begin, until, most);
    if (!isTruncated) return { items, isTruncated: begin > after };
  }
  return { items: [], isTruncated: after < until };
}

/** Combines all ticks into one band if the schedule has a constant interval and no clock change falls in the period. */
function findBand(job: TimelineJob, from: number, to: number): PlannedBand | undefined {
  const { schedule, zone } = job;
  const everyMs = paceOf(schedule);
  const first = everyMs === undefined ? undefined : nextTick(schedule, zone, from - 1);
  if (everyMs === undefined || first === undefined || zone.stretchAt(first).end < to) return undefined;
  const count = Math.floor((to - 1 - first) / everyMs) + 1;
  if (count < leastInBand) return undefined;
  return { jobId: job.id, everyMs, from: first, to: first + (count - 1) * everyMs };
}

/** The interval between ticks if it is constant, including across the ends of hours and days. */
function paceOf({ minutes, hours, days, months, weekdays }: Schedule): number | undefined {
  const isAlways = hours.length === 24 && days.length === 31 && months.length === 12 && weekdays.length === 7;
  const step = 60 / minutes.length;
  const isEven = minutes.every((minute, index) => minute === minutes[0]! + index * step);
  return isAlways && isEven ? step * minuteMs : undefined;
}

/** Combines long series of evenly spaced ticks into bands. */
function joinEven(jobId: string, ticks: readonly number[]): Planned[] {
  const planned: Planned[] = [];
  for (let start = 0; start < ticks.length; ) {
    const everyMs = ticks[start + 1]! - ticks[start]!;
    let end = start + 1;
    while (end < ticks.length && ticks[end]! - ticks[end - 1]! === everyMs) end++;
    if (end - start >= leastInBand) {
      planned.push({ jobId, everyMs, from: ticks[start]!, to: ticks[end - 1]! });
      start = end;
    } else {
      planned.push({ jobId, time: ticks[start]! });
      start++;
    }
  }
  return planned;
}

function beginOf(planned: Planned): number {
  return "time" in planned ? planned.time : planned.from;
}

/** Takes the first item of each list, then the second of each, and so on. */
function takeFairly<T>(lists: readonly (readonly T[])[], most: number): T[] {
  const taken: T[] = [];
  for (let round = 0, open = lists; open.length > 0 && taken.length < most; round++) {
    for (const list of open.slice(0, most - taken.length)) taken.push(list[round]!);
    open = open.filter((list) => list.length > round + 1);
  }
  return taken;
}

export interface MissedTick {
  readonly jobId: string;
  readonly time: number;
  /** Whether the tick was skipped because the previous run was in progress. */
  readonly isOverlap: boolean;
}

/** A job with the period for which its ticks and their outcomes are known. */
export interface KnownPlan extends TimelineJob {
  readonly after: number;
  readonly until: number;
}

export interface MissedOptions {
  readonly most: number;
  /** The displayed runs, used to detect skipped ticks that overlap one. */
  readonly bars: readonly RunBar[];
  /** Returns the ticks that have a run. */
  haveRun(ticks: readonly PlannedTick[]): Promise<Set<PlannedTick>>;
}

/** Due ticks without a run; the newest ones if there are too many. */
export async function findMissed(
  plans: readonly KnownPlan[],
  { most, bars, haveRun }: MissedOptions,
): Promise<Bounded<MissedTick>> {
  const share = Math.ceil(maxCounted / 2 / Math.max(1, plans.length));
  let isTruncated = false;
  const due = plans.flatMap((plan) => {
    const ticks = countNewestTicks(plan, plan.after, plan.until, share);
    isTruncated ||= ticks.isTruncated;
    return ticks.items.map((time) => ({ jobId: plan.id, time }));
  });
  const done = await haveRun(due);
  const open = due.filter((tick) => !done.has(tick)).sort((one, other) => one.time - other.time);
  const excluding = new Set(plans.filter(({ overlap }) => overlap !== "allow").map(({ id }) => id));
  const barsOf = Map.groupBy(bars, ({ jobId }) => jobId);
  const items = open.slice(-most).map((tick) => {
    const met = barsOf.get(tick.jobId)?.some((bar) => isDuring(bar, tick.time)) ?? false;
    return { ...tick, isOverlap: met && excluding.has(tick.jobId) };
  });
  return { items, isTruncated: isTruncated || items.length < open.length };
}

/** A run excludes others from when it is stored, shortly before its function is called. */
const storingMs = 5_000;

function isDuring({ startedAt, endedAt = Number.POSITIVE_INFINITY }: RunBar, time: number): boolean {
  return startedAt - storingMs <= time && time <= endedAt;
}
