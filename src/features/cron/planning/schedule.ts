import { INVALID_SCHEDULE } from "../errors.ts";
import { FieldError, fields, readField } from "./field.ts";
import { type NamedTimes, nextMatch } from "./wall-clock.ts";

/** A parsed cron expression. It is always valid and matches at least one time. */
export interface Schedule extends NamedTimes {
  /** The expression with single spaces. */
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
 * Parses the five fields minute, hour, day of month, month and day of week. Errors name the field and the position. The
 * same text returns the same cached object, so previews are cheap.
 */
export function parseSchedule(text: string): Schedule {
  const before = known.get(text);
  if (before) return before;
  const schedule = parse(text);
  if (known.size >= maxKnown) known.clear();
  known.set(text, schedule);
  return schedule;
}

function parse(text: string): Schedule {
  const words = splitFields(text);
  const read = (index: number) => readWord(text, words[index]!, index);
  const [minute, hour, day, , weekday] = words.map(({ text }) => text) as [
    string,
    string,
    string,
    string,
    string,
  ];
  const schedule: Schedule = {
    expression: words.map((word) => word.text).join(" "),
    minutes: read(0),
    hours: read(1),
    days: read(2),
    months: read(3),
    weekdays: read(4),
    isEveryDay: day === "*",
    isEveryWeekday: weekday === "*",
    namesHours: !hour.startsWith("*"),
    isInterval: minute.startsWith("*") || hour.startsWith("*"),
  };
  if (!happens(schedule)) {
    const problem = "no month of field 4 has that day, so it would never run";
    throw refuse(text, `${placeOf(2, words[2]!.position)}: ${problem}`);
  }
  return schedule;
}

interface Word {
  readonly text: string;
  /** Starts at 1. */
  readonly position: number;
}

function splitFields(text: unknown): Word[] {
  if (typeof text !== "string")
    throw invalid(`A schedule must be a string with five fields, got ${typeof text}.`);
  if (text.length > maxLength) throw invalid(`A schedule must have at most ${maxLength} characters.`);
  const words = [...text.matchAll(/[^ ]+/g)].map((match) => ({ text: match[0], position: match.index + 1 }));
  if (words.length === fields.length) return words;
  const names = fields.map(({ name }) => name).join(", ");
  throw refuse(text, `${miscount(text, words)}; it must have five fields separated by spaces: ${names}`);
}

function miscount(text: string, words: Word[]): string {
  if (text.trim().startsWith("@")) return "shortcuts such as @daily are not supported; use 0 0 * * * instead";
  const other = /[^\S ]/.exec(text);
  if (other) return `tab or line break at position ${other.index + 1}`;
  const sixth = words[fields.length];
  if (sixth) return `unexpected sixth field at position ${sixth.position}`;
  if (words.length === 0) return "the expression is empty";
  const missing = fields[words.length]!.name;
  return `field ${words.length + 1} (${missing}) is missing at position ${text.trimEnd().length + 1}`;
}

function readWord(text: string, word: Word, index: number): readonly number[] {
  try {
    return readField(fields[index]!, word.text);
  } catch (error) {
    if (!(error instanceof FieldError)) throw error;
    throw refuse(text, `${placeOf(index, word.position + error.offset)}: ${error.message}`);
  }
}

/** Whether any of the days exists. Every month has days 1 to 28, and every week has all weekdays. */
function happens(schedule: NamedTimes): boolean {
  if (schedule.days[0]! <= 28 || !schedule.isEveryWeekday) return true;
  return nextMatch(schedule, 0) !== undefined;
}

function placeOf(index: number, position: number): string {
  return `${fields[index]!.name} (field ${index + 1}, position ${position})`;
}

function refuse(text: string, problem: string): Error {
  return invalid(`The schedule "${text}" is not valid: ${problem}.`);
}

function invalid(message: string): Error {
  return INVALID_SCHEDULE.with({ data: { schedule: { code: "invalid", message } } }, message);
}
