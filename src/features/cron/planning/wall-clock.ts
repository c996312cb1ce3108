import { dayMs, minuteMs } from "../../../lib/time/units.ts";
import { isRelativeDay, type MonthDay, type NthWeekday } from "./relative-day.ts";

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
  /** Further values of the day of month, such as `L` and `15W`. */
  readonly relativeDays: readonly MonthDay[];
  readonly months: readonly number[];
  readonly weekdays: readonly number[];
  /** Further values of the day of week, such as `5L` and `5#2`. */
  readonly relativeWeekdays: readonly NthWeekday[];
  /** Whether a date must match both day fields. Otherwise, one is enough. */
  readonly needsBothDays: boolean;
}

/** How far the next match can be away. A 29 February on a given weekday recurs after at most 40 years. */
export const horizonYears = 41;

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

/** Vixie cron: a date must match both day fields if one of them begins with `*`, and otherwise at least one. */
function matchesDate(schedule: NamedTimes, date: Date): boolean {
  const { days, relativeDays, weekdays, relativeWeekdays, needsBothDays } = schedule;
  const isDay = days.includes(date.getUTCDate()) || relativeDays.some((day) => isRelativeDay(day, date));
  if (isDay !== needsBothDays) return isDay;
  return weekdays.includes(date.getUTCDay()) || relativeWeekdays.some((day) => isRelativeDay(day, date));
}
