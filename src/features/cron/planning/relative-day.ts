/** A day whose date depends on the month. */
export type RelativeDay = MonthDay | NthWeekday;

/** `L`, `L-3`, `15W` or `LW`. */
export interface MonthDay {
  readonly kind: "month-day";
  /** The date, or 0 for the last day of the month, -1 for the day before it, and so on. */
  readonly day: number;
  /** Whether a date on a weekend moves to the nearest weekday of the same month. */
  readonly isMovedToWeekday: boolean;
}

/** `5#2` or `5L`. */
export interface NthWeekday {
  readonly kind: "nth-weekday";
  /** Sunday is 0. */
  readonly weekday: number;
  /** From 1 to 5. */
  readonly nth: number | "last";
}

export function isRelativeDay(day: RelativeDay, date: Date): boolean {
  return day.kind === "month-day" ? isMonthDay(day, date) : isNthWeekday(day, date);
}

/** Months without the date do not match, as with plain values: `31W` never matches in April. */
function isMonthDay({ day, isMovedToWeekday }: MonthDay, date: Date): boolean {
  const length = daysInMonth(date);
  const target = day > 0 ? day : length + day;
  if (target < 1 || target > length) return false;
  const today = date.getUTCDate();
  if (!isMovedToWeekday) return today === target;
  // A date moves by at most two days.
  if (Math.abs(today - target) > 2) return false;
  const weekday = (date.getUTCDay() + target - today + 7) % 7;
  return today === nearestWeekday(target, weekday, length);
}

/** Never leaves the month: Saturday the 1st moves to Monday the 3rd, and Sunday the 31st to Friday the 29th. */
function nearestWeekday(day: number, weekday: number, length: number): number {
  if (weekday === 6) return day === 1 ? day + 2 : day - 1;
  if (weekday === 0) return day === length ? day - 2 : day + 1;
  return day;
}

function isNthWeekday({ weekday, nth }: NthWeekday, date: Date): boolean {
  if (date.getUTCDay() !== weekday) return false;
  const day = date.getUTCDate();
  return nth === "last" ? day + 7 > daysInMonth(date) : Math.ceil(day / 7) === nth;
}

function daysInMonth(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
}
