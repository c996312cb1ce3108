import { FieldError } from "./field-error.ts";
import type { MonthDay, NthWeekday } from "./relative-day.ts";

/** Reads a plain value of the field. */
type ReadValue = (word: string) => number;

/** The first day of a month with 31 days is 30 days before its last day. */
const mostBack = 30;
const mostWeeks = 5;

/** Reads `L`, `L-3`, `15W`, `LW` and `L-3W` in the day of month. Returns `undefined` for plain values and ranges. */
export function readMonthDay(part: string, offset: number, readValue: ReadValue): MonthDay | undefined {
  const fromEnd = /^L(?:-(\d+))?(W?)$/i.exec(part);
  if (fromEnd) {
    const back = fromEnd[1] === undefined ? 0 : readBack(fromEnd[1], offset + 2);
    return { kind: "month-day", day: 0 - back, isMovedToWeekday: fromEnd[2] !== "" };
  }
  const nearest = /^(\d+)W$/i.exec(part);
  if (nearest) return { kind: "month-day", day: readValue(nearest[1]!), isMovedToWeekday: true };
  const problem = misusedInMonth(part);
  if (problem) throw new FieldError(problem, offset);
  return undefined;
}

function readBack(digits: string, offset: number): number {
  const back = Number(digits);
  if (back >= 1 && back <= mostBack) return back;
  throw new FieldError(
    `"${digits}" is not a valid number of days before the last; allowed: 1-${mostBack}`,
    offset,
  );
}

function misusedInMonth(part: string): string | undefined {
  if (/^(\d+|[A-Z]{3})(L|#\w*)$/i.test(part))
    return `"${part}" is a weekday; write it in field 5 (day of week)`;
  const openEnd = /^(\d+)-L$/i.exec(part);
  if (openEnd) return `a range cannot end with L; use ${openEnd[1]}-31`;
  if (/^[\dLW-]*W[\dLW-]*$/i.test(part)) return "W needs one day before it, such as 15W or LW";
  if (/^L[\d-]*$/i.test(part)) return "the days before the last are written as L-1, L-2 and so on";
  return undefined;
}

/** Reads `5L` and `5#2` in the day of week. Returns `undefined` for plain values and ranges. */
export function readNthWeekday(part: string, offset: number, readValue: ReadValue): NthWeekday | undefined {
  const last = /^(\d+|[A-Z]{3})L$/i.exec(part);
  if (last) return { kind: "nth-weekday", weekday: readValue(last[1]!), nth: "last" };
  const numbered = /^(\w+)#(\w*)$/.exec(part);
  if (numbered) {
    const [, weekday = "", nth = ""] = numbered;
    return { kind: "nth-weekday", weekday: readValue(weekday), nth: readNth(weekday, nth, offset) };
  }
  const problem = misusedInWeek(part);
  if (problem) throw new FieldError(problem, offset);
  return undefined;
}

function readNth(weekday: string, text: string, offset: number): number {
  const nth = /^\d$/.test(text) ? Number(text) : 0;
  if (nth >= 1 && nth <= mostWeeks) return nth;
  const isLast = text.toUpperCase() === "L";
  const remedy = isLast ? `use ${weekday}L for the last one of the month` : `allowed: 1-${mostWeeks}`;
  throw new FieldError(`"${text}" is not a valid number after #; ${remedy}`, offset + weekday.length + 1);
}

function misusedInWeek(part: string): string | undefined {
  // Quartz reads a lone L as Saturday, which hardly anyone expects.
  if (/^L$/i.test(part)) {
    return "L needs a weekday before it, such as 5L; the last day of the month is L in field 3 (day of month)";
  }
  if (/^(L(-\d+)?W?|\d+W)$/i.test(part)) return `"${part}" is a day of the month; write it in field 3`;
  if (/^\w+-\w+(L|#\w*)$/i.test(part))
    return "L and # need one weekday before them; use a list such as 1#2,2#2";
  return undefined;
}
