/**
 * Times on the wall: milliseconds that would be right if the clock on that wall showed UTC. On them every day has 24
 * hours, so that finding the next one of a schedule is plain counting.
 */
export type WallTime = number;

/** What a schedule names, sorted. Sunday is 0. */
export interface NamedTimes {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly days: readonly number[];
  readonly months: readonly number[];
  readonly weekdays: readonly number[];
  /** Whether the day of the month, or the day of the week, is `*`. If neither is, one of the two has to match. */
  readonly isEveryDay: boolean;
  readonly isEveryWeekday: boolean;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** 29 February can be eight years away, and its Monday not further. */
const horizonYears = 9;

/** The first minute after that time which the schedule names; `undefined` when there is none in the coming years. */
export function nextMatch(schedule: NamedTimes, after: WallTime): WallTime | undefined {
  const start = Math.floor(after / minuteMs) * minuteMs + minuteMs;
  const firstDay = Math.floor(start / dayMs) * dayMs;
  const today = matchesDay(schedule, firstDay) ? nextTimeOfDay(schedule, start - firstDay) : undefined;
  if (today !== undefined) return firstDay + today;
  const day = nextDay(schedule, firstDay + dayMs);
  return day === undefined ? undefined : day + (schedule.hours[0]! * 60 + schedule.minutes[0]!) * minuteMs;
}

/** The first named time of a day that is not before the given one, both in milliseconds since midnight. */
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

/** The first day that matches, from that midnight on. Months that are not named are passed over in one step. */
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

/** POSIX: with both kinds of day given, either of them is enough. */
function matchesDate({ days, weekdays, isEveryDay, isEveryWeekday }: NamedTimes, date: Date): boolean {
  const isDay = days.includes(date.getUTCDate());
  const isWeekday = weekdays.includes(date.getUTCDay());
  return isEveryDay || isEveryWeekday ? isDay && isWeekday : isDay || isWeekday;
}
