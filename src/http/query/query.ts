import { invalid, missing } from "../../lib/fields.ts";
import { maxPerPage, type PageRequest, type SortTerm } from "../../lib/page.ts";
import { parseTime, type TimeWindow } from "../../lib/time/time-window.ts";
import { type Parameter, type Problems, type Reading, together } from "./read-query.ts";

/** `undefined` if the text is invalid. */
type Parse<T> = (text: string) => T | undefined;

/** The message says "The value of limit must be …". */
export function invalidParameter(name: string, expected: string): Problems {
  return { [name]: invalid(name, expected) };
}

function toReading<T>(name: string, expected: string, value: T | undefined): Reading<T> {
  return value === undefined ? { problems: invalidParameter(name, expected) } : { value };
}

/** A parameter that can be omitted. An empty text counts as omitted, because forms also send empty fields. */
function optional<T, D>(expected: string, parse: Parse<T>, fallback: D): Parameter<T | D> {
  return (source, name) => {
    const [text = ""] = source.queryAll(name);
    return text === "" ? { value: fallback } : toReading(name, expected, parse(text));
  };
}

/** Refuses a parameter that is given several times, where the first value could be another than the intended one. */
function once<T>(parameter: Parameter<T>): Parameter<T> {
  return (source, name) =>
    source.queryAll(name).length > 1
      ? { problems: invalidParameter(name, "given only once") }
      : parameter(source, name);
}

/** A text in a format of its own. `expected` continues the sentence "The value of … must be". */
function parsed<T>(expected: string, parse: Parse<T>): Parameter<T | undefined> {
  return optional(expected, parse, undefined);
}

function matching(expected: string, pattern: RegExp): Parameter<string | undefined> {
  return parsed(expected, (text) => (pattern.test(text) ? text : undefined));
}

interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** A number that is refused outside its bounds. */
function int(options: Bounds & { readonly default: number }): Parameter<number>;
function int(options: Bounds): Parameter<number | undefined>;
function int({ min, max, default: fallback }: Bounds & { readonly default?: number }) {
  const parse = (text: string) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  };
  return optional(`an integer from ${min} to ${max}`, parse, fallback);
}

/** A number of items. Numbers above the maximum are reduced to it. An empty text is invalid. */
function count({ max = Infinity, default: fallback }: { max?: number; default: number }): Parameter<number> {
  const parse = (text: string) => {
    const value = /^\d+$/.test(text) ? Math.min(Number(text), max) : 0;
    return value >= 1 && Number.isSafeInteger(value) ? value : undefined;
  };
  return once((source, name) => {
    const [text = String(fallback)] = source.queryAll(name);
    return toReading(name, "an integer of at least 1", parse(text));
  });
}

const flags = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

function flag({ default: fallback = false }: { readonly default?: boolean } = {}): Parameter<boolean> {
  return optional("true or false", (text) => flags.get(text), fallback);
}

function oneOf<const T extends string>(allowed: readonly T[], options: { readonly default: T }): Parameter<T>;
function oneOf<const T extends string>(allowed: readonly T[]): Parameter<T | undefined>;
function oneOf<T extends string>(allowed: readonly T[], options: { readonly default?: T } = {}) {
  const expected = allowed.length === 1 ? `${allowed[0]} or omitted` : `one of ${allowed.join(", ")}`;
  return optional(expected, (text) => allowed.find((each) => each === text), options.default);
}

/** One or more values, separated by commas. */
function list<const T extends string>(allowed: readonly T[]): Parameter<T[] | undefined> {
  return parsed(`one or more of ${allowed.join(", ")}, separated by commas`, (text) => {
    const words = text.split(",");
    const known = words.flatMap((word) => allowed.find((each) => each === word) ?? []);
    return known.length === words.length ? known : undefined;
  });
}

/** Any words, separated by commas. */
function words(): Parameter<string[] | undefined> {
  return parsed("words separated by commas", (text) => text.split(",").filter(Boolean));
}

interface TextOptions {
  readonly maxLength?: number;
  /** Refuses U+0000, for texts that are compared with columns: PostgreSQL does not accept it. */
  readonly forbidNull?: boolean;
}

function text({ maxLength = Infinity, forbidNull = false }: TextOptions = {}): Parameter<string | undefined> {
  const expected = `a string of at most ${maxLength} characters${forbidNull ? " without null characters" : ""}`;
  return parsed(expected, (given) =>
    given.length > maxLength || (forbidNull && given.includes("\0")) ? undefined : given,
  );
}

/** A text that another function validates. */
function required(expected: string): Parameter<string> {
  return (source, name) => {
    const [given = ""] = source.queryAll(name);
    return given === "" ? { problems: { [name]: missing(name, expected) } } : { value: given };
  };
}

/** A parameter of a compatible API that is refused, because ignoring a filter would return a wrong list. */
function unsupported(): Parameter<undefined> {
  return (source, name) => {
    const [given = ""] = source.queryAll(name);
    const problem = { code: "unsupported", message: `The query parameter ${name} is not supported.` };
    return given === "" ? { value: undefined } : { problems: { [name]: problem } };
  };
}

/** A parameter that can be given several times. */
function repeated<T>(expected: string, parse: Parse<T>, maxCount: number): Parameter<T[] | undefined> {
  return (source, name) => {
    const texts = source.queryAll(name).filter((given) => given !== "");
    if (texts.length === 0) return { value: undefined };
    const values = texts.flatMap((given) => parse(given) ?? []);
    const areValid = values.length === texts.length && texts.length <= maxCount;
    return toReading(name, expected, areValid ? values : undefined);
  };
}

/** A time: ISO 8601 with a zone, a date, or milliseconds since the epoch. */
function time(): Parameter<number | undefined> {
  return parsed("a time such as 2026-11-15T14:00:00Z, or milliseconds since the epoch", parseTime);
}

interface WindowDefaults {
  readonly to: number;
  from(to: number): number;
}

/** Reads `from` and `to`. */
function window(defaults: WindowDefaults): Parameter<TimeWindow> {
  const readTimes = together({ from: time(), to: time() });
  return (source, name) => {
    const reading = readTimes(source, name);
    if ("problems" in reading) return reading;
    const { to = defaults.to, from = defaults.from(to) } = reading.value;
    return to > from ? { value: { from, to } } : { problems: invalidParameter("to", "later than from") };
  };
}

/** Reads `page` and `perPage`. */
function page({ perPage }: { readonly perPage: number }): Parameter<PageRequest> {
  return together({ page: count({ default: 1 }), perPage: count({ max: maxPerPage, default: perPage }) });
}

/** Field names separated by commas, with a minus for descending order: `-start_time,job_id`. */
function sort<F extends string>(fields: readonly F[], fallback: string): Parameter<SortTerm<F>[]> {
  const expected = `a list of ${fields.join(", ")}, each with a minus for descending order`;
  const parse = (given: string) => {
    const terms = given.split(",");
    const known = terms.flatMap((term) => parseTerm(term, fields) ?? []);
    return known.length === terms.length ? known : undefined;
  };
  return once(optional(expected, parse, parse(fallback)!));
}

function parseTerm<F extends string>(term: string, fields: readonly F[]): SortTerm<F> | undefined {
  const isDescending = term.startsWith("-");
  const field = fields.find((name) => name === term.slice(isDescending ? 1 : 0));
  return field && { field, isDescending };
}

/** The kinds of query parameters. Declare them with `readQuery`. */
export const query = {
  int,
  count,
  flag,
  oneOf,
  list,
  words,
  text,
  required,
  unsupported,
  repeated,
  time,
  window,
  page,
  sort,
  parsed,
  matching,
};
