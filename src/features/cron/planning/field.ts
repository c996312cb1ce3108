import { readMonthDay, readNthWeekday } from "./day-syntax.ts";
import { FieldError } from "./field-error.ts";
import type { RelativeDay } from "./relative-day.ts";

/** One of the five fields of a schedule. */
export interface Field {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  /** Number of distinct values, which is the largest useful step, too. */
  readonly span: number;
  /** Three-letter names; the first one corresponds to `least`. */
  readonly names?: readonly string[];
  /** Allowed values, as shown in error messages. */
  readonly allowed: string;
  /** In day fields, reads a part such as `L` or `5#2`. Returns `undefined` for other parts. */
  readonly readRelative?: (part: string, offset: number) => RelativeDay | undefined;
}

/** What a field matches. */
export interface FieldValues {
  /** Sorted. Sunday is 0. */
  readonly values: readonly number[];
  /** Empty except in day fields. */
  readonly relative: readonly RelativeDay[];
}

const monthNames = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const dayNames = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
const sunday = 7;

const dayOfMonth: Field = {
  name: "day of month",
  least: 1,
  most: 31,
  span: 31,
  allowed: "1-31",
  readRelative: (part, offset) => readMonthDay(part, offset, (word) => readValue(dayOfMonth, word, offset)),
};

const dayOfWeek: Field = {
  name: "day of week",
  least: 0,
  most: sunday,
  span: 7,
  names: dayNames,
  allowed: "0-7 or SUN-SAT, where 0 and 7 are Sunday",
  readRelative: (part, offset) =>
    readNthWeekday(part, offset, (word) => readValue(dayOfWeek, word, offset) % sunday),
};

export const fields: readonly Field[] = [
  { name: "minute", least: 0, most: 59, span: 60, allowed: "0-59" },
  { name: "hour", least: 0, most: 23, span: 24, allowed: "0-23" },
  dayOfMonth,
  { name: "month", least: 1, most: 12, span: 12, names: monthNames, allowed: "1-12 or JAN-DEC" },
  dayOfWeek,
];

// Thousands of schedules use few distinct fields, so parsed fields are cached and shared.
const known = new Map<string, FieldValues>();
const maxKnown = 5_000;

/** Parses a field. Throws a `FieldError`. */
export function readField(field: Field, text: string): FieldValues {
  const key = `${field.name} ${text}`;
  const before = known.get(key);
  if (before) return before;
  const read = readList(field, isAnyDay(field, text) ? "*" : text);
  if (known.size >= maxKnown) known.clear();
  known.set(key, read);
  return read;
}

/** Whether a day field is `?`, which means the same as `*`. */
function isAnyDay(field: Field, text: string): boolean {
  return text === "?" && field.readRelative !== undefined;
}

function readList(field: Field, text: string): FieldValues {
  const values = new Set<number>();
  const relative: RelativeDay[] = [];
  let offset = 0;
  for (const part of text.split(",")) {
    if (part === "") throw new FieldError("a value is missing between commas", offset);
    const [range = "", step, extra] = part.split("/");
    if (extra !== undefined) throw new FieldError("only one step is allowed", offset + part.lastIndexOf("/"));
    const day = field.readRelative?.(range, offset);
    if (day && step !== undefined)
      throw new FieldError(`"${range}" cannot have a step`, offset + range.length);
    if (day) relative.push(day);
    else for (const value of readPart(field, range, step, offset)) values.add(inWeek(field, value));
    offset += part.length + 1;
  }
  return { values: [...values].sort((one, other) => one - other), relative };
}

/** Sunday is 0 and 7. */
function inWeek({ span }: Field, value: number): number {
  return span === 7 ? value % sunday : value;
}

/** Parses `*`, a value or a range. `*` and ranges can have a step. */
function readPart(field: Field, range: string, step: string | undefined, offset: number): number[] {
  const [first, last] = readRange(field, range, offset);
  if (step === undefined) return count(first, last, 1);
  const by = readStep(field, step, offset + range.length + 1);
  if (range !== "*" && !range.includes("-")) {
    const whole = inWeek(field, first) === field.least ? "*" : `${first}-${highest(field)}`;
    throw new FieldError(`a step needs * or a range before it; use ${whole}/${by}`, offset + range.length);
  }
  return count(first, last, by);
}

function readRange(field: Field, range: string, offset: number): [first: number, last: number] {
  if (range === "*") return [field.least, highest(field)];
  const [from = "", to, third] = range.split("-");
  if (from === "") throw new FieldError(`"${range}" is not a valid value; allowed: ${field.allowed}`, offset);
  if (third !== undefined) throw new FieldError(`"${range}" is not a valid range`, offset);
  const first = readValue(field, from, offset);
  if (to === undefined) return [first, first];
  const last = readValue(field, to, offset + from.length + 1);
  // "FRI-SUN" ends on the following Sunday.
  if (first > 0 && last === 0 && to.toUpperCase() === dayNames[0]) return [first, sunday];
  if (last >= first) return [first, last];
  const end = `${field.least}-${last}`;
  const remedy = first > highest(field) ? end : `${first}-${highest(field)},${end}`;
  throw new FieldError(`the range "${range}" ends before it begins; use ${remedy}`, offset);
}

/** The highest value. For the day of the week, Sunday is counted once. */
function highest({ least, span }: Field): number {
  return least + span - 1;
}

function readStep({ span }: Field, text: string, offset: number): number {
  const step = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (step >= 1 && step <= span) return step;
  throw new FieldError(`"${text}" is not a valid step; allowed: 1-${span}`, offset);
}

function readValue(field: Field, word: string, offset: number): number {
  const { least, most, names, allowed } = field;
  const named = names?.indexOf(word.toUpperCase()) ?? -1;
  if (named !== -1) return named + least;
  const value = /^\d{1,2}$/.test(word) ? Number(word) : Number.NaN;
  if (value >= least && value <= most) return value;
  const problem = findForeignSyntax(field, word) ?? `"${word}" is not a valid value; allowed: ${allowed}`;
  throw new FieldError(problem, offset);
}

/** Describes syntax of other crons, or of other fields. */
function findForeignSyntax({ readRelative }: Field, word: string): string | undefined {
  if (word === "?") return "? is allowed only as a whole day field; use *";
  if (/~|^H(\(|$)/i.test(word)) return `random values such as "${word}" are not supported; choose a value`;
  const isRelative = /^(L|LW|\d+[LW]|\w+#\w*)$/i.test(word);
  return isRelative && !readRelative ? `"${word}" is allowed only in the day fields` : undefined;
}

function count(first: number, last: number, step: number): number[] {
  const values: number[] = [];
  for (let value = first; value <= last; value += step) values.push(value);
  return values;
}
