import type { Schedule } from "./schedule.ts";
import type { Timezone } from "./timezone.ts";
import { nextMatch, type WallTime } from "./wall-clock.ts";

/** Nothing further away than this is looked for; 29 February is never more than eight years away. */
const horizonMs = 9 * 366 * 24 * 3_600_000;

/**
 * The first moment after `after` at which the schedule is due in that zone. Between two changes of the clock this is
 * counting on the wall. At a change the rules are:
 *
 * - The clock skips an hour: times of day that it skipped are made up for, all of them by one run when it goes on. A
 *   schedule for every hour or every few hours misses nothing.
 * - The clock repeats an hour: times of day count only the first time they come by. An interval, with `*` in its
 *   minute or hour, goes on at its pace.
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

/** Just before the wall showed that moment, so that the moment itself is the first that can come after. */
function lastWallMinute(time: number, offset: number): WallTime {
  return time + offset - 1;
}

/** The next moments, at most that many. */
export function nextTicks(schedule: Schedule, zone: Timezone, after: number, count: number): number[] {
  const ticks: number[] = [];
  let tick = nextTick(schedule, zone, after);
  while (tick !== undefined && ticks.length < count) {
    ticks.push(tick);
    tick = nextTick(schedule, zone, tick);
  }
  return ticks;
}

/** The last moment the schedule was due, after `notBefore` and not after `until`. */
export function lastTick(
  schedule: Schedule,
  zone: Timezone,
  notBefore: number,
  until: number,
): number | undefined {
  // Looks back twice as far each time, so that a job of every minute is not counted through a month.
  for (let back = 60_000; ; back *= 2) {
    const from = Math.max(until - back, notBefore);
    let last: number | undefined;
    for (let tick = nextTick(schedule, zone, from); tick !== undefined && tick <= until; ) {
      last = tick;
      tick = nextTick(schedule, zone, tick);
    }
    if (last !== undefined || from === notBefore) return last;
  }
}
