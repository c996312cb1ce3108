import type { RequestEvent } from "../http/index.ts";
import type { FieldProblem } from "../lib/errors.ts";
import { refuseInvalid } from "../lib/fields.ts";
import { traceIdLength } from "../lib/ids.ts";
import { readWindow } from "../lib/time-window.ts";
import type { PastQuery } from "./history/queries.ts";
import type { RecentFilter } from "./requests/recent-filter.ts";

const hourMs = 3_600_000;
const defaultPoints = 240;
const maxPoints = 2_000;
const maxPathLength = 1_024;

/** Reads a period and its resolution. */
export function readPast(e: RequestEvent<never>, now: number, points = defaultPoints): PastQuery {
  const { from, to } = readWindow((name) => e.query(name), now, hourMs);
  return {
    from: Math.floor(from / 1_000),
    to: Math.ceil(to / 1_000),
    points: readNumber(e, "points", { fallback: points, least: 1, most: maxPoints }),
    instance: readName(e, "instance"),
  };
}

export function readName(e: RequestEvent<never>, name: string): string | undefined {
  const text = e.query(name) || undefined;
  const isFit = text === undefined || (text.length <= 300 && !text.includes("\0"));
  refuseInvalid({
    [name]: isFit ? undefined : problem(name, "a string of at most 300 characters without null characters"),
  });
  return text;
}

export function readFlag(e: RequestEvent<never>, name: string): boolean {
  const text = e.query(name) || "false";
  const isFit = text === "true" || text === "false";
  refuseInvalid({ [name]: isFit ? undefined : problem(name, "true or false") });
  return text === "true";
}

export function readNumber(
  e: RequestEvent<never>,
  name: string,
  { fallback, least, most }: { fallback: number; least: number; most: number },
): number {
  const text = e.query(name);
  if (text === undefined || text === "") return fallback;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  const isFit = value >= least && value <= most;
  refuseInvalid({ [name]: isFit ? undefined : problem(name, `an integer from ${least} to ${most}`) });
  return value;
}

/** Reads filters for recent requests: those of the log search that apply to them. */
export function readRecentFilter(e: RequestEvent<never>): RecentFilter {
  const problems: Record<string, FieldProblem | undefined> = {};
  const read = (name: string, pattern: RegExp, expected: string): string | undefined => {
    const text = e.query(name) || undefined;
    if (text !== undefined && !pattern.test(text)) problems[name] = problem(name, expected);
    return text;
  };
  const readDuration = (name: string) => {
    const text = read(name, /^\d{1,12}(\.\d{1,6})?$/, "a number of milliseconds");
    return text === undefined ? undefined : Number(text);
  };
  const filter: RecentFilter = {
    status: read(
      "status",
      /^[1-5](\d\d|xx)$/i,
      "a status code such as 404, or a class such as 4xx",
    )?.toLowerCase(),
    method: read("method", /^[a-z-]{1,32}$/i, "a method such as GET")?.toUpperCase(),
    path: read(
      "path",
      path,
      `a path or a pattern such as /todos/{id} or *.pdf, of at most ${maxPathLength} characters`,
    ),
    traceId: read("trace", traceId, `a trace ID: ${traceIdLength} letters and digits`),
    minDurationMs: readDuration("min_duration"),
    maxDurationMs: readDuration("max_duration"),
  };
  const { minDurationMs = 0, maxDurationMs = minDurationMs } = filter;
  if (maxDurationMs < minDurationMs)
    problems.max_duration = problem("max_duration", "no less than min_duration");
  refuseInvalid(problems);
  return { ...filter, route: readName(e, "route") };
}

const path = new RegExp(`^[/*].{0,${maxPathLength - 1}}$`, "s");
export const traceId: RegExp = new RegExp(`^[A-Za-z0-9]{${traceIdLength}}$`);

function problem(name: string, expected: string): FieldProblem {
  return { code: "invalid", message: `The value of ${name} must be ${expected}.` };
}
