import { INVALID_SCHEDULE } from "../errors.ts";
import { type FieldValues, fields, readField } from "./field.ts";
import { FieldError } from "./field-error.ts";
import { expandShortcut, isShortcut } from "./shortcuts.ts";
import { type NamedTimes, nextMatch } from "./wall-clock.ts";

/** A parsed cron expression. It is always valid and matches at least one time. */
export interface Schedule extends NamedTimes {
  /** The five fields, with single spaces between them. */
  readonly expression: string;
  /** Whether the hour field does not start with `*`. Times skipped by a clock change then run afterwards. */
  readonly namesHours: boolean;
  /** Whether the minute or hour field starts with `*`. The interval then continues while the clock repeats an hour. */
  readonly isInterval: boolean;
}

/** Longer than any practical expression. */
const maxLength = 256;

const known = new Map<string, Schedule>();
const maxKnown = 20_000;

/**
 * Parses the five fields minute, hour, day of month, month and day of week, or a shortcut such as `@daily`. Errors name
 * the field and the position. The same text returns the same cached object, so previews are cheap.
 */
export function parseSchedule(text: string): Schedule {
  const before = known.get(text);
  if (before) return before;
  const schedule = parse(text);
  if (known.size >= maxKnown) known.clear();
  known.set(text, schedule);
  return schedule;
}

function parse(text: unknown): Schedule {
  if (typeof text !== "string")
    throw invalid(`A schedule must be a string with five fields, got ${typeof text}.`);
  if (text.length > maxLength) throw invalid(`A schedule must have at most ${maxLength} characters.`);
  if (!isShortcut(text)) return parseFields(text);
  const shortcut = expandShortcut(text);
  if ("problem" in shortcut) throw refuse(text, shortcut.problem);
  return parseFields(shortcut.fields);
}

function parseFields(text: string): Schedule {
  const words = splitFields(text);
  const [minutes, hours, days, months, weekdays] = words.map((word, index) =>
    readWord(text, word, index),
  ) as [FieldValues, FieldValues, FieldValues, FieldValues, FieldValues];
  const [minute, hour, day, , weekday] = words as [Word, Word, Word, Word, Word];
  const schedule: Schedule = {
    expression: words.map((word) => word.text).join(" "),
    minutes: minutes.values,
    hours: hours.values,
    days: days.values,
    relativeDays: days.relative.filter((day) => day.kind === "month-day"),
    months: months.values,
    weekdays: weekdays.values,
    relativeWeekdays: weekdays.relative.filter((day) => day.kind === "nth-weekday"),
    needsBothDays: [day, weekday].some(({ text }) => text.startsWith("*") || text === "?"),
    namesHours: !hour.text.startsWith("*"),
    isInterval: minute.text.startsWith("*") || hour.text.startsWith("*"),
  };
  // Every month has days 1 to 28, so only the day of month can be impossible, alone or together with the weekday.
  if (nextMatch(schedule, 0) === undefined) {
    throw refuse(text, `${placeOf(2, day.position)}: ${describeNever(schedule)}, so it would never run`);
  }
  return schedule;
}

function describeNever({ weekdays }: Schedule): string {
  const isAnyWeekday = weekdays.length === 7;
  return isAnyWeekday ? "no month of field 4 has that day" : "no such day is also a day of field 5";
}

interface Word {
  readonly text: string;
  /** Starts at 1. */
  readonly position: number;
}

function splitFields(text: string): Word[] {
  const words = [...text.matchAll(/\S+/g)].map((match) => ({ text: match[0], position: match.index + 1 }));
  if (words.length === fields.length) return words;
  const names = fields.map(({ name }) => name).join(", ");
  throw refuse(text, `${miscount(text, words)}; it must have five fields: ${names}`);
}

function miscount(text: string, words: readonly Word[]): string {
  if (words.length === 0) return "the expression is empty";
  if (/^\s*(CRON_)?TZ=/i.test(text)) return "a time zone is not part of a schedule; use the option timezone";
  const extra = words[fields.length];
  if (extra) return describeExtraFields(words) ?? `unexpected sixth field at position ${extra.position}`;
  const missing = fields[words.length]!.name;
  return `field ${words.length + 1} (${missing}) is missing at position ${text.trimEnd().length + 1}`;
}

/** Other crons have a field for seconds before the five fields, and some have one for years after them. */
function describeExtraFields(words: readonly Word[]): string | undefined {
  const texts = words.map(({ text }) => text);
  const lookLikeFields = texts.every((text) => /^([\d*?L]|[A-Z]{3}L?(\W|$))/i.test(text));
  if (!lookLikeFields || texts.length > fields.length + 2) return undefined;
  if (texts.length === fields.length + 2) {
    return `seconds and years are not supported; without them, it is "${texts.slice(1, -1).join(" ")}"`;
  }
  return /^\d{4}/.test(texts.at(-1)!)
    ? `years are not supported; without them, it is "${texts.slice(0, -1).join(" ")}"`
    : `seconds are not supported; without them, it is "${texts.slice(1).join(" ")}"`;
}

function readWord(text: string, word: Word, index: number): FieldValues {
  try {
    return readField(fields[index]!, word.text);
  } catch (error) {
    if (!(error instanceof FieldError)) throw error;
    throw refuse(text, `${placeOf(index, word.position + error.offset)}: ${error.message}`);
  }
}

function placeOf(index: number, position: number): string {
  return `${fields[index]!.name} (field ${index + 1}, position ${position})`;
}

function refuse(text: string, problem: string): Error {
  // Tabs and line breaks become spaces, so that the message is one line and positions stay the same.
  return invalid(`The schedule "${text.replace(/\s/g, " ")}" is not valid: ${problem}.`);
}

function invalid(message: string): Error {
  return INVALID_SCHEDULE.with({ data: { schedule: { code: "invalid", message } } }, message);
}
