import type { JobDefinition } from "./job.ts";
import { nextTicks } from "./schedule/calendar.ts";
import type { Schedule } from "./schedule/schedule.ts";
import type { Timezone } from "./schedule/timezone.ts";

/** When a job runs next in one zone and in another. */
export interface ZoneExample {
  readonly job: JobDefinition;
  readonly before: readonly number[];
  readonly after: readonly number[];
}

export interface ZoneChange {
  /** How many jobs would run at other times. */
  readonly affected: number;
  /** Those whose times change soonest. */
  readonly examples: readonly ZoneExample[];
}

const runsShown = 5;
const maxExamples = 5;

/** What another zone would do to these jobs. */
export function compareZones(
  jobs: readonly JobDefinition[],
  before: Timezone,
  after: Timezone,
  now: number,
): ZoneChange {
  // Thousands of jobs have few different schedules.
  const known = new Map<Schedule, Omit<ZoneExample, "job">>();
  const compare = (schedule: Schedule) => {
    const ticks = known.get(schedule) ?? {
      before: nextTicks(schedule, before, now, runsShown),
      after: nextTicks(schedule, after, now, runsShown),
    };
    known.set(schedule, ticks);
    return ticks;
  };
  const changed = jobs
    .map((job) => ({ job, ...compare(job.schedule) }))
    .filter((example) => firstChange(example) !== undefined)
    .sort((one, other) => firstChange(one)! - firstChange(other)!);
  return { affected: changed.length, examples: changed.slice(0, maxExamples) };
}

/** The first moment that is a run in one zone only; `undefined` when there is none among those shown. */
function firstChange({ before, after }: Omit<ZoneExample, "job">): number | undefined {
  const index = before.findIndex((tick, index) => tick !== after[index]);
  return index === -1 ? undefined : Math.min(before[index]!, after[index] ?? Number.POSITIVE_INFINITY);
}
