import { dayMs, minuteMs } from "../../../lib/time/units.ts";
import type { Schedule } from "./schedule.ts";
import type { Timezone } from "./timezone.ts";
import { horizonYears, nextMatch, type WallTime } from "./wall-clock.ts";

const horizonMs = horizonYears * 366 * dayMs;

/** More than any clock change. */
const marginMs = 2 * dayMs;

/**
 * Returns the first tick of a schedule after `after`, in the given time zone. Between clock changes, this is a search in
 * wall time. At clock changes, these rules apply:
 *
 * - The clock skips an hour: skipped times of day are covered by one run right after the change. Hourly schedules and
 *   schedules for every few hours miss nothing.
 * - The clock repeats an hour: times of day match only the first time. Intervals (`*` in the minute or hour field)
 *   continue at their pace.
 */
export function nextTick(schedule: Schedule, zone: Timezone, after: number): number | undefined {
  let stretch = zone.stretchAt(after);
  let from: WallTime = after + stretch.offset;
  const before = zone.stretchAt(stretch.start - 1);
  if (!schedule.isInterval) from = Math.max(from, lastWallMinute(stretch.start, before.offset));

  while (stretch.start - after < horizonMs) {
    const match = nextMatch(schedule, from);
    if (match === undefined) return undefined;
    if (match - stretch.offset < stretch.end) return match - stretch.offset;

    // Nothing is due between the search's start and the match, so clock changes long before the match are irrelevant.
    // The exception is an hour that is repeated after the search began in it.
    const near = zone.stretchAt(match - stretch.offset - marginMs);
    const coversStretch = !schedule.isInterval || from < stretch.start + stretch.offset;
    if (coversStretch && near.start > stretch.start) {
      stretch = near;
      continue;
    }

    const change = stretch.end;
    const next = zone.stretchAt(change);
    const isSkipped = match < change + next.offset;
    if (isSkipped && schedule.namesHours) return change;
    const isRepeated = next.offset < stretch.offset && !schedule.isInterval;
    from = lastWallMinute(change, isRepeated ? stretch.offset : next.offset);
    stretch = next;
  }
  return undefined;
}

/** The minute before the given wall time, so that the search includes the time itself. */
function lastWallMinute(time: number, offset: number): WallTime {
  return time + offset - 1;
}

/** Returns up to `count` upcoming ticks. */
export function nextTicks(schedule: Schedule, zone: Timezone, after: number, count: number): number[] {
  const ticks: number[] = [];
  let tick = nextTick(schedule, zone, after);
  while (tick !== undefined && ticks.length < count) {
    ticks.push(tick);
    tick = nextTick(schedule, zone, tick);
  }
  return ticks;
}

/** Returns the last tick after `notBefore` and up to `until`. */
export function lastTick(
  schedule: Schedule,
  zone: Timezone,
  notBefore: number,
  until: number,
): number | undefined {
  // Doubles the search range each time, so that a job that runs every minute does not require a scan of a whole month.
  for (let back = minuteMs; ; back *= 2) {
    const from = Math.max(until - back, notBefore);
    let last: number | undefined;
    for (let tick = nextTick(schedule, zone, from); tick !== undefined && tick <= until; ) {
      last = tick;
      tick = nextTick(schedule, zone, tick);
    }
    if (last !== undefined || from === notBefore) return last;
  }
}
