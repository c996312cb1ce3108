import type { LogLevel, SearchLimits } from "../../../src/features/logging/wire.ts";
import { formatWhole } from "../format/numbers.ts";
import { unknownPattern, unmatchedRoute } from "../format/routes.ts";
import { splitTokens, type Token } from "./tokens.ts";

/** A filter as the server accepts it. All conditions must match. */
export interface RecordFilter {
  /** A code such as 404, or a class such as 4xx. */
  readonly status?: string;
  readonly method?: string;
  readonly path?: string;
  /** For example `GET /todos/{id}`. */
  readonly route?: string;
  readonly minDurationMs?: number;
  readonly maxDurationMs?: number;
  readonly trace?: string;
  readonly event?: string;
  /** The selected instance. A query can name one as a field value in addition. */
  readonly instance?: string | undefined;
  /** Only these levels. */
  readonly levels?: readonly Level[];
  readonly text?: string;
  readonly where: readonly FieldValue[];
  readonly not: readonly FieldValue[];
}

export interface FieldValue {
  readonly field: string;
  readonly value: string;
}

export type Level = LogLevel;

export const levels = ["debug", "info", "warn", "error"] as const satisfies readonly Level[];

export interface ParsedQuery {
  readonly filter: RecordFilter;
  /** One sentence per error. */
  readonly problems: readonly string[];
}

/** The fields that a query can contain. */
export interface Vocabulary {
  /** Known fields, with or without special syntax. */
  readonly fields: readonly string[];
  /** Whether other field names are allowed. */
  readonly isOpen: boolean;
}

/** Requests have only these fields. */
export const requestWords: Vocabulary = {
  fields: ["status", "method", "path", "route", "dur", "trace", "ip", "user_agent", "instance"],
  isOpen: false,
};

/** Records have any fields that the application adds. */
export const recordWords: Vocabulary = {
  fields: ["level", "event", "trace", "status", "method", "path", "route", "dur", "instance"],
  isOpen: true,
};

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };
type Draft = Mutable<Omit<RecordFilter, "where" | "not" | "levels">> & {
  levels: Level[];
  where: FieldValue[];
  not: FieldValue[];
};

const mostConditions: SearchLimits["conditions"] = 10;
const mostLetters: SearchLimits["pathLength"] = 1_024;

export function parseQuery(text: string, words: Vocabulary): ParsedQuery {
  const draft: Draft = { levels: [], where: [], not: [] };
  const free: string[] = [];
  const problems: string[] = [];
  for (const token of splitTokens(text)) {
    const problem = token.isOpen
      ? `A quote is not closed: ${text.slice(token.start, token.end)}`
      : takeToken(token, draft, free, words);
    if (problem !== undefined) problems.push(problem);
  }
  problems.push(...contradictions(draft));
  const { levels: some, ...rest } = draft;
  const filter = {
    ...rest,
    ...(some.length > 0 && { levels: some }),
    ...(free.length > 0 && { text: free.join(" ") }),
  };
  return { filter, problems };
}

function takeToken(token: Token, draft: Draft, free: string[], words: Vocabulary): string | undefined {
  const { field, value, isNegated, isPlain } = token;
  if (field === undefined) {
    if (isNegated)
      return `Only the value of a field can be excluded: -field:${value}. To search for the text itself, quote it: "-${value}".`;
    if (value !== "") free.push(value);
    return undefined;
  }
  if (!words.isOpen && !words.fields.includes(field))
    return `${field}: is not a field here. Use ${words.fields.join(", ")}, or plain text.`;
  const take = (!isPlain && takers[field]) || takeOther;
  // Other fields can be empty.
  if (value === "" && take !== takeOther) return `Enter a value after ${field}:`;
  return take({ field, value, isNegated }, draft);
}

interface Said {
  readonly field: string;
  readonly value: string;
  readonly isNegated: boolean;
}

type Taker = (said: Said, draft: Draft) => string | undefined;

const takers: Readonly<Record<string, Taker>> = {
  status: takeStatus,
  method: takeMethod,
  path: takePath,
  route: takeRoute,
  dur: takeDuration,
  trace: takeTrace,
  event: takeEvent,
  level: takeLevel,
};

function takeOther({ field, value, isNegated }: Said, draft: Draft): undefined {
  draft[isNegated ? "not" : "where"].push({ field, value });
}

/** For conditions that the server accepts only once. */
function takeOnce<Name extends "status" | "method" | "path" | "route" | "trace" | "event">(
  draft: Draft,
  name: Name,
  value: string,
): string | undefined {
  if (draft[name] !== undefined && draft[name] !== value)
    return `${name}: can be used only once, but is both ${draft[name]} and ${value}.`;
  draft[name] = value;
  return undefined;
}

function takeStatus({ value, isNegated }: Said, draft: Draft): string | undefined {
  const wanted = value.toLowerCase();
  // Clicking a value inserts it as it is in the record, with a text.
  const [, code] = /^([1-5]\d\d)(?: \D.*)?$/.exec(wanted) ?? [];
  if (isNegated) {
    if (code === undefined)
      return `-status: takes a code such as -status:404. A class cannot be excluded; search for another class, such as status:5xx.`;
    draft.not.push({ field: "status", value: code });
    return undefined;
  }
  if (code === undefined && !/^[1-5]xx$/.test(wanted))
    return `status: takes a code such as 404 or a class such as 5xx, not ${value}.`;
  return takeOnce(draft, "status", code ?? wanted);
}

function takeMethod({ value, isNegated }: Said, draft: Draft): string | undefined {
  if (!/^[a-z-]{1,32}$/i.test(value)) return `method: takes a word such as POST, not ${value}.`;
  const method = value.toUpperCase();
  if (!isNegated) return takeOnce(draft, "method", method);
  draft.not.push({ field: "method", value: method });
  return undefined;
}

function takePath({ value, isNegated }: Said, draft: Draft): string | undefined {
  if (!/^[/*]/.test(value))
    return `A path begins with / or *, such as path:/api/* or path:*.pdf, not ${value}.`;
  if (value.length > mostLetters) return `A path can have at most ${formatWhole(mostLetters)} characters.`;
  if (!isNegated) return takeOnce(draft, "path", value);
  if (/[*{]/.test(value)) return `Only a whole path can be excluded, not a pattern such as ${value}.`;
  draft.not.push({ field: "path", value });
  return undefined;
}

function takeRoute({ value, isNegated }: Said, draft: Draft): string | undefined {
  if (isNegated) return "A route cannot be excluded, only a whole path: -path:/health.";
  const [, pattern = ""] = /^(?:[A-Z-]+ )?(.*)$/s.exec(value) ?? [];
  if (value !== unmatchedRoute && pattern !== unknownPattern && !pattern.startsWith("/"))
    return `A route is a method and a pattern, such as route:"GET /todos/{id}", not ${value}.`;
  return takeOnce(draft, "route", value);
}

function takeTrace({ value, isNegated }: Said, draft: Draft): string | undefined {
  if (!/^[A-Za-z0-9]{18}$/.test(value)) return `A trace ID has 18 letters and digits; ${value} is not one.`;
  if (!isNegated) return takeOnce(draft, "trace", value);
  draft.not.push({ field: "trace_id", value });
  return undefined;
}

function takeEvent({ value, isNegated }: Said, draft: Draft): string | undefined {
  if (!isNegated) return takeOnce(draft, "event", value);
  draft.not.push({ field: "event", value });
  return undefined;
}

/** `warn`, `warn,error`, or `>=warn` for a minimum level. */
function takeLevel({ value, isNegated }: Said, draft: Draft): string | undefined {
  const [, above, list] = /^(>=)?(.*)$/s.exec(value.toLowerCase())!;
  const names = list!.split(",");
  const isKnown = names.every((name) => (levels as readonly string[]).includes(name));
  if (!isKnown || (above && names.length > 1))
    return `level: takes debug, info, warn or error, a comma-separated list of these, or >=warn, not ${value}.`;
  const some = above ? levels.slice(levels.indexOf(names[0] as Level)) : (names as Level[]);
  if (isNegated) draft.not.push(...some.map((level) => ({ field: "level", value: level })));
  else draft.levels = levels.filter((level) => draft.levels.includes(level) || some.includes(level));
  return undefined;
}

const units: Readonly<Record<string, number>> = {
  µs: 0.001,
  us: 0.001,
  ms: 1,
  s: 1_000,
  m: 60_000,
  min: 60_000,
};
const amount = String.raw`(\d+(?:\.\d+)?)(µs|us|ms|s|min|m)?`;

/** `>200ms`, `<=2s`, or `100ms..2s`. The default unit is milliseconds. */
function takeDuration({ value, isNegated }: Said, draft: Draft): string | undefined {
  if (isNegated) return "A duration cannot be excluded; reverse the comparison instead: dur:<200ms.";
  const side = new RegExp(`^([<>])=?${amount}$`, "i").exec(value);
  const range = new RegExp(`^${amount}\\.\\.${amount}$`, "i").exec(value);
  if (!side && !range) return `dur: takes >200ms, <2s or 100ms..2s, not ${value}.`;
  if (!side || side[1] === ">")
    draft.minDurationMs = toMs(side ? side[2]! : range![1]!, side ? side[3] : range![2]);
  if (!side) draft.maxDurationMs = toMs(range![3]!, range![4]);
  else if (side[1] === "<") draft.maxDurationMs = toMs(side[2]!, side[3]);
  return undefined;
}

function toMs(number: string, unit: string | undefined): number {
  return Math.round(Number(number) * units[(unit ?? "ms").toLowerCase()]! * 1_000) / 1_000;
}

function contradictions(draft: Draft): string[] {
  const { minDurationMs: least = 0, maxDurationMs: most = least, event, method, route } = draft;
  const { status, path } = draft;
  const isAboutRequests = [status, method, path, route, draft.minDurationMs, draft.maxDurationMs].some(
    (value) => value !== undefined,
  );
  const routeMethod = route && /^([A-Z-]+) /.exec(route)?.[1];
  return [
    most < least && `No request takes more than ${least} ms and less than ${most} ms.`,
    path !== undefined && route !== undefined && "Use a path or a route, not both.",
    method !== undefined &&
      routeMethod &&
      method !== routeMethod &&
      `The route has the method ${routeMethod}, but method: is ${method}.`,
    event !== undefined &&
      event !== "http_request" &&
      isAboutRequests &&
      `Only requests have a status, method, path, route and duration; records of event:${event} have none.`,
    (draft.where.length > mostConditions || draft.not.length > mostConditions) &&
      `At most ${mostConditions} values can be included and ${mostConditions} excluded at a time.`,
  ].filter((problem): problem is string => typeof problem === "string");
}
