import { dayMs, hourMs } from "../../../lib/time/units.ts";
import type { JobDefinition } from "../jobs/job.ts";
import { nextTicks } from "../planning/calendar.ts";
import type { Schedule } from "../planning/schedule.ts";
import type { Timezone } from "../planning/timezone.ts";

/** Run times of a job in both time zones, starting at the first difference. */
export interface ZoneExample {
  readonly job: JobDefinition;
  readonly before: readonly number[];
  readonly after: readonly number[];
}

export interface ZoneChange {
  /** Number of jobs whose run times would change within a year. */
  readonly affected: number;
  /** The jobs whose times change first. */
  readonly examples: readonly ZoneExample[];
}

interface Zones {
  readonly before: Timezone;
  readonly after: Timezone;
}

/** A run that exists in only one of the time zones, and the time from which to search for an earlier difference. */
interface Difference {
  readonly at: number;
  readonly since: number;
}

const yearMs = 366 * dayMs;
const stepsMs = [
  ...Array.from({ length: 24 }, (_, index) => (index + 1) * hourMs),
  ...Array.from({ length: 6 }, (_, index) => (index + 2) * dayMs),
];
const runsShown = 5;
const maxExamples = 5;

/** Compares the run times of jobs in two time zones. */
export function compareZones(jobs: readonly JobDefinition[], zones: Zones, now: number): ZoneChange {
  const starts = startsOfComparison(zones, now);
  const moments = momentsWithin(starts, zones);
  // Thousands of jobs use few distinct schedules.
  const known = new Map<Schedule, Difference | undefined>();
  const compare = (schedule: Schedule) => {
    const places = isHourly(schedule) ? starts : moments;
    if (!known.has(schedule)) known.set(schedule, findDifference(schedule, zones, places));
    return known.get(schedule);
  };
  const changed = jobs
    .map((job) => ({ job, ...compare(job.schedule) }))
    .filter((each): each is { job: JobDefinition } & Difference => each.at !== undefined)
    .sort((one, other) => one.at - other.at);
  const examples = changed
    .slice(0, maxExamples)
    .map(({ job, since }) => ({ job, ...firstDifference(job.schedule, zones, since) }));
  return { affected: changed.length, examples };
}

/** Now and each clock change: London time equals UTC in winter, so its jobs differ only from spring on. */
function startsOfComparison({ before, after }: Zones, now: number): number[] {
  const changes = [before, after].flatMap((zone) => clockChanges(zone, now, now + yearMs));
  // Includes the moment of the change, because skipped times run then.
  return inOrder([now, ...changes.map((change) => change - 1)]);
}

/**
 * Sample times after each start, by hour and by day. For a job that runs every five minutes from nine to five, only the
 * first and last runs of a day differ.
 */
function momentsWithin(starts: readonly number[], { before, after }: Zones): number[] {
  const isDifferent = (time: number) => before.stretchAt(time).offset !== after.stretchAt(time).offset;
  const further = starts.flatMap((start) => stepsMs.map((step) => start + step)).filter(isDifferent);
  return inOrder([...starts, ...further]);
}

const inOrder = (times: readonly number[]) => [...new Set(times)].sort((one, other) => one - other);

/** Schedules that run every hour of every day are not affected by a different hour. */
const isHourly = ({ expression }: Schedule) => /^\S+ \* \* \* \*$/.test(expression);

function clockChanges(zone: Timezone, from: number, to: number): number[] {
  const changes: number[] = [];
  let stretch = zone.stretchAt(from);
  while (stretch.end < to) {
    const next = zone.stretchAt(stretch.end);
    if (next.offset !== stretch.offset) changes.push(stretch.end);
    stretch = next;
  }
  return changes;
}

/** The first of these times after which some runs differ between the time zones. */
function findDifference(
  schedule: Schedule,
  zones: Zones,
  moments: readonly number[],
): Difference | undefined {
  for (const [position, moment] of moments.entries()) {
    const { before, after } = ticksAfter(schedule, zones, moment);
    const index = before.findIndex((tick, index) => tick !== after[index]);
    if (index === -1) continue;
    const at = Math.min(before[index]!, after[index] ?? Number.POSITIVE_INFINITY);
    return { at, since: Math.max(moments[position - 1] ?? moment, moment - dayMs) };
  }
  return undefined;
}

/** Compares run by run from a time shortly before a difference, and returns the first one. */
function firstDifference(schedule: Schedule, zones: Zones, from: number) {
  for (let moment = from; ; ) {
    const { before, after } = ticksAfter(schedule, zones, moment);
    const same = before.findIndex((tick, index) => tick !== after[index]);
    if (same === 0) return { before, after };
    moment = same === -1 ? before.at(-1)! : before[same - 1]!;
  }
}

function ticksAfter(schedule: Schedule, zones: Zones, moment: number) {
  return {
    before: nextTicks(schedule, zones.before, moment, runsShown),
    after: nextTicks(schedule, zones.after, moment, runsShown),
  };
}
