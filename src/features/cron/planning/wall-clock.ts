import { dayMs, minuteMs } from "../../../lib/time/units.ts";

/**
 * Wall time: local time as if it were UTC, in milliseconds. Every day has 24 hours, so finding the next match needs no
 * time zone logic.
 */
export type WallTime = number;

/** The values that a schedule matches, sorted. Sunday is 0. */
export interface NamedTimes {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly days: readonly number[];
  readonly months: readonly number[];
  readonly weekdays: readonly number[];
  /** Whether the day of month, or the day of week, is `*`. If neither is, a date matches if either field matches. */
  readonly isEveryDay: boolean;
  readonly isEveryWeekday: boolean;
}

/** 29 February can be eight years away. */
const horizonYears = 9;

/** Returns the first matching minute after `after`; `undefined` if there is none within the search limit. */
export function nextMatch(schedule: NamedTimes, after: WallTime): WallTime | undefined {
  const start = Math.floor(after / minuteMs) * minuteMs + minuteMs;
  const firstDay = Math.floor(start / dayMs) * dayMs;
  const today = matchesDay(schedule, firstDay) ? nextTimeOfDay(schedule, start - firstDay) : undefined;
  if (today !== undefined) return firstDay + today;
  const day = nextDay(schedule, firstDay + dayMs);
  return day === undefined ? undefined : day + (schedule.hours[0]! * 60 + schedule.minutes[0]!) * minuteMs;
}

/** The first matching time of day at or after `from`, both in milliseconds since midnight. */
function nextTimeOfDay({ hours, minutes }: NamedTimes, from: number): number | undefined {
  const fromMinute = from / minuteMs;
  const hour = Math.floor(fromMinute / 60);
  if (hours.includes(hour)) {
    const minute = minutes.find((minute) => minute >= fromMinute % 60);
    if (minute !== undefined) return (hour * 60 + minute) * minuteMs;
  }
  const later = hours.find((each) => each > hour);
  return later === undefined ? undefined : (later * 60 + minutes[0]!) * minuteMs;
}

/** The first matching day from `from` on. Months that do not match are skipped in one step. */
function nextDay(schedule: NamedTimes, from: WallTime): WallTime | undefined {
  const date = new Date(from);
  const lastYear = date.getUTCFullYear() + horizonYears;
  while (date.getUTCFullYear() <= lastYear) {
    if (!schedule.months.includes(date.getUTCMonth() + 1)) {
      date.setUTCMonth(date.getUTCMonth() + 1, 1);
    } else if (matchesDate(schedule, date)) {
      return date.getTime();
    } else {
      date.setUTCDate(date.getUTCDate() + 1);
    }
  }
  return undefined;
}

function matchesDay(schedule: NamedTimes, day: WallTime): boolean {
  const date = new Date(day);
  return schedule.months.includes(date.getUTCMonth() + 1) && matchesDate(schedule, date);
}

/** POSIX: if both day fields are restricted, either may match. */
function matchesDate({ days, weekdays, isEveryDay, isEveryWeekday }: NamedTimes, date: Date): boolean {
  const isDay = days.includes(date.getUTCDate());
  const isWeekday = weekdays.includes(date.getUTCDay());
  return isEveryDay || isEveryWeekday ? isDay && isWeekday : isDay || isWeekday;
}
