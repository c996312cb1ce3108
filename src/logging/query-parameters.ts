import type { RequestEvent } from "../http/index.ts";
import type { FieldProblem } from "../lib/errors.ts";
import { refuseInvalid } from "../lib/fields.ts";
import { traceIdLength } from "../lib/ids.ts";
import { parseTime, readWindow } from "../lib/time-window.ts";
import { isLogLevel, type LogLevel, levelNames } from "./levels.ts";
import { isCursor } from "./store/cursor.ts";
import { type FieldValue, isAboutRequests, type LogQuery, maxLimit } from "./store/query.ts";
import { requestEvent } from "./store/request-filters.ts";
import type { VolumeQuery } from "./store/volume.ts";

/** Converts query parameters of the log routes to store queries. All invalid parameters are reported together. */

type Event = RequestEvent<never>;

/** Reads the query for a page of records. */
export function readSearch(e: Event): LogQuery {
  const parameters = createParameters(e);
  const { read } = parameters;
  return parameters.query({
    limit: read("limit", (text) => parseWhole(text, maxLimit), `an integer from 1 to ${maxLimit}`),
    cursor: read("cursor", (text) => (isCursor(text) ? text : undefined), "the cursor of a previous page"),
  });
}

/** Maximum number of records in an export. */
const maxFile = 100_000;

export interface FileQuery {
  readonly query: LogQuery;
  readonly limit: number;
}

export function readFile(e: Event): FileQuery {
  const parameters = createParameters(e);
  const expected = `an integer from 1 to ${maxFile}`;
  const limit = parameters.read("limit", (text) => parseWhole(text, maxFile), expected);
  return { query: parameters.query({}), limit: limit ?? maxFile };
}

/** Reads the query for an export of requests, which contains no other records. */
export function readRequestFile(e: Event): FileQuery {
  const { query, limit } = readFile(e);
  const { event = requestEvent } = query;
  refuseInvalid({
    event: event === requestEvent ? undefined : problem("event", `${requestEvent} or omitted`),
  });
  return { query: { ...query, event }, limit };
}

const hourMs = 3_600_000;
const defaultPoints = 120;
const maxPoints = 2_000;

export function readVolume(e: Event, now: number): VolumeQuery {
  const parameters = createParameters(e);
  const { read } = parameters;
  const expected = `an integer from 1 to ${maxPoints}`;
  const points = read("points", (text) => parseWhole(text, maxPoints), expected) ?? defaultPoints;
  const before = read("before", parseTime, "the value of reached in an earlier response");
  const query = parameters.query({});
  return { ...query, ...readWindow((name) => e.query(name), now, hourMs), points, before };
}

interface Parameters {
  /** Reads one parameter. An invalid value is recorded as a problem. */
  read<T>(name: string, parse: (text: string) => T | undefined, expected: string): T | undefined;
  /** Returns the filters combined with `rest`. Throws if there were problems. */
  query(rest: LogQuery): LogQuery;
}

function createParameters(e: Event): Parameters {
  const problems: Record<string, FieldProblem | undefined> = {};
  // Forms also send empty fields.
  const given = (name: string) => e.query(name) || undefined;

  function read<T>(name: string, parse: (text: string) => T | undefined, expected: string): T | undefined {
    const text = given(name);
    const value = text === undefined ? undefined : parse(text);
    if (text !== undefined && value === undefined) problems[name] = problem(name, expected);
    return value;
  }

  function readAll(name: string): FieldValue[] | undefined {
    const texts = e.queryAll(name).filter((text) => text !== "");
    if (texts.length === 0) return undefined;
    const values = texts.flatMap((text) => parseFieldValue(text) ?? []);
    if (values.length < texts.length || texts.length > maxConditions)
      problems[name] = problem(name, `field:value, at most ${maxConditions} times${withinLengths}`);
    return values;
  }

  function readFilters(): LogQuery {
    const time = "a time such as 2026-03-01T12:00:00Z, or milliseconds since the epoch";
    const names = levelNames.join(", ");
    return {
      from: read("from", parseTime, time),
      to: read("to", parseTime, time),
      level: read("level", (text) => (isLogLevel(text) ? text : undefined), `one of ${names}`),
      levels: read("levels", parseLevels, `one or more of ${names}, separated by commas`),
      text: given("text"),
      traceId: read("trace", parseTraceId, `a trace ID: ${traceIdLength} letters and digits`),
      event: given("event"),
      method: read("method", parseMethod, "a method such as GET"),
      status: read("status", parseStatus, "a status code such as 404, or a class such as 4xx"),
      path: read(
        "path",
        parsePath,
        `a path or a pattern such as /api/v1/todos/{id} or *.pdf, of at most ${maxPathLength} characters`,
      ),
      minDurationMs: read("min_duration", parseDuration, "a number of milliseconds"),
      maxDurationMs: read("max_duration", parseDuration, "a number of milliseconds"),
      where: readAll("where"),
      not: readAll("not"),
    };
  }

  return {
    read,
    query(rest) {
      const query = { ...readFilters(), ...rest };
      refuseInvalid({ ...contradictions(query), ...problems });
      return query;
    },
  };
}

function problem(name: string, expected: string): FieldProblem {
  return { code: "invalid", message: `The value of ${name} must be ${expected}.` };
}

/** Checks combinations of parameters that are valid individually. */
function contradictions(query: LogQuery): Record<string, FieldProblem | undefined> {
  const {
    from = 0,
    to = from,
    minDurationMs = 0,
    maxDurationMs = minDurationMs,
    event = requestEvent,
  } = query;
  const requestsOnly = `${requestEvent} or omitted, because only requests have a method, status, path and duration`;
  return {
    to: to < from ? problem("to", "no earlier than from") : undefined,
    max_duration:
      maxDurationMs < minDurationMs ? problem("max_duration", "no less than min_duration") : undefined,
    event: event !== requestEvent && isAboutRequests(query) ? problem("event", requestsOnly) : undefined,
  };
}

function parseLevels(text: string): LogLevel[] | undefined {
  const names = text.split(",");
  return names.every(isLogLevel) ? names : undefined;
}

function parseTraceId(text: string): string | undefined {
  return text.length === traceIdLength && /^[A-Za-z0-9]+$/.test(text) ? text : undefined;
}

function parseMethod(text: string): string | undefined {
  return /^[a-z-]+$/i.test(text) ? text : undefined;
}

function parseStatus(text: string): LogQuery["status"] {
  const status = text.toLowerCase();
  if (/^[1-5]xx$/.test(status)) return status as LogQuery["status"];
  return /^[1-5]\d\d$/.test(status) ? Number(status) : undefined;
}

/** Matching time is proportional to pattern length × path length. */
const maxPathLength = 1_024;

function parsePath(text: string): string | undefined {
  return /^[/*]/.test(text) && text.length <= maxPathLength ? text : undefined;
}

function parseDuration(text: string): number | undefined {
  return /^\d{1,12}(\.\d{1,6})?$/.test(text) ? Number(text) : undefined;
}

function parseWhole(text: string, most: number): number | undefined {
  const value = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  return value >= 1 && value <= most ? value : undefined;
}

const maxConditions = 10;
const maxFieldLength = 200;
const maxValueLength = 2_000;
const withinLengths = `, with a field of 1 to ${maxFieldLength} characters and a value of at most ${maxValueLength}`;

/** The value can contain colons and can be empty. */
function parseFieldValue(text: string): FieldValue | undefined {
  const colon = text.indexOf(":");
  const [field, value] = [text.slice(0, colon), text.slice(colon + 1)];
  const isFit = colon > 0 && field.length <= maxFieldLength && value.length <= maxValueLength;
  return isFit ? { field, value } : undefined;
}
