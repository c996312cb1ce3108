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
}

const monthNames = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const dayNames = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
const sunday = 7;

export const fields: readonly Field[] = [
  { name: "minute", least: 0, most: 59, span: 60, allowed: "0-59" },
  { name: "hour", least: 0, most: 23, span: 24, allowed: "0-23" },
  { name: "day of month", least: 1, most: 31, span: 31, allowed: "1-31" },
  { name: "month", least: 1, most: 12, span: 12, names: monthNames, allowed: "1-12 or JAN-DEC" },
  {
    name: "day of week",
    least: 0,
    most: sunday,
    span: 7,
    names: dayNames,
    allowed: "0-7 or SUN-SAT, where 0 and 7 are Sunday",
  },
];

/** An invalid field, with the offset of the problem from its start. */
export class FieldError extends Error {
  readonly offset: number;

  constructor(problem: string, offset: number) {
    super(problem);
    this.offset = offset;
  }
}

// Thousands of schedules use few distinct fields, so parsed fields are cached and shared.
const known = new Map<string, readonly number[]>();
const maxKnown = 5_000;

/** Returns the values of a field, sorted. Sunday is 0. Throws a `FieldError`. */
export function readField(field: Field, text: string): readonly number[] {
  const key = `${field.name} ${text}`;
  const before = known.get(key);
  if (before) return before;
  const values = new Set<number>();
  let offset = 0;
  for (const part of text.split(",")) {
    for (const value of readPart(field, part, offset)) values.add(field.span === 7 ? value % sunday : value);
    offset += part.length + 1;
  }
  const sorted = [...values].sort((one, other) => one - other);
  if (known.size >= maxKnown) known.clear();
  known.set(key, sorted);
  return sorted;
}

/** Parses one part of a list: `*`, a value or a range. `*` and ranges can have a step. */
function readPart(field: Field, part: string, offset: number): number[] {
  if (part === "") throw new FieldError("a value is missing between commas", offset);
  const [range = "", step, extra] = part.split("/");
  if (extra !== undefined) throw new FieldError("only one step is allowed", offset + part.lastIndexOf("/"));
  const [first, last] = readRange(field, range, offset);
  const isRange = range === "*" || range.includes("-");
  return count(first, last, step === undefined ? 1 : readStep(field, step, isRange, offset + range.length));
}

function readRange(field: Field, range: string, offset: number): [first: number, last: number] {
  // For the day of the week, Sunday is counted once.
  if (range === "*") return [field.least, field.least + field.span - 1];
  const [from = "", to, third] = range.split("-");
  if (from === "") throw new FieldError(`"${range}" is not a valid value; allowed: ${field.allowed}`, offset);
  if (third !== undefined) throw new FieldError(`"${range}" is not a valid range`, offset);
  const first = readValue(field, from, offset);
  if (to === undefined) return [first, first];
  const last = readValue(field, to, offset + from.length + 1);
  // "FRI-SUN" ends on the following Sunday.
  if (first > 0 && last === 0 && to.toUpperCase() === dayNames[0]) return [first, sunday];
  if (last < first) throw new FieldError(`the range "${range}" ends before it begins`, offset);
  return [first, last];
}

function readStep({ span }: Field, text: string, isRange: boolean, offset: number): number {
  if (!isRange) throw new FieldError(`a step needs * or a range before it, such as */${text}`, offset);
  const step = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (step >= 1 && step <= span) return step;
  throw new FieldError(`"${text}" is not a valid step; allowed: 1-${span}`, offset + 1);
}

function readValue({ least, most, names, allowed }: Field, word: string, offset: number): number {
  const named = names?.indexOf(word.toUpperCase()) ?? -1;
  if (named !== -1) return named + least;
  const value = /^\d{1,2}$/.test(word) ? Number(word) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new FieldError(`"${word}" is not a valid value; allowed: ${allowed}`, offset);
}

function count(first: number, last: number, step: number): number[] {
  const values: number[] = [];
  for (let value = first; value <= last; value += step) values.push(value);
  return values;
}
