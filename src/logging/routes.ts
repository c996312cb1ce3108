import { requireSuperuserAuth } from "../auth/index.ts";
import { neverCached, type RequestEvent, type RootRouter } from "../http/index.ts";
import type { FieldProblem } from "../lib/errors.ts";
import { refuseInvalid } from "../lib/fields.ts";
import { traceIdLength } from "../lib/ids.ts";
import { parseTime } from "../lib/time-window.ts";
import { isLogLevel, levelNames } from "./levels.ts";
import { isCursor } from "./store/cursor.ts";
import { isAboutRequests, type LogPage, type LogQuery, maxLimit } from "./store/query.ts";
import { requestEvent } from "./store/request-filters.ts";

/** The search over stored records. It is neither logged nor counted: who watches the log would only see the watching. */
export function mountLogs(root: RootRouter, search: (query: LogQuery) => Promise<LogPage>): void {
  root
    .uncounted()
    .get("/_/_/data/logs", async (e) => e.json(200, await search(readQuery(e))))
    .bind(neverCached, requireSuperuserAuth());
}

function readQuery(e: RequestEvent<never>): LogQuery {
  const problems: Record<string, FieldProblem | undefined> = {};
  // A form sends its empty fields too.
  const given = (name: string) => e.query(name) || undefined;
  const read = <T>(name: string, parse: (text: string) => T | undefined, expected: string): T | undefined => {
    const text = given(name);
    const value = text === undefined ? undefined : parse(text);
    if (text !== undefined && value === undefined) problems[name] = problem(name, expected);
    return value;
  };
  const time = "a time such as 2026-03-01T12:00:00Z, or milliseconds since the epoch";
  const query: LogQuery = {
    from: read("from", parseTime, time),
    to: read("to", parseTime, time),
    level: read("level", (text) => (isLogLevel(text) ? text : undefined), `one of ${levelNames.join(", ")}`),
    text: given("text"),
    traceId: read("trace", parseTraceId, `a trace ID: ${traceIdLength} letters and digits`),
    event: given("event"),
    method: read("method", parseMethod, "a method such as GET"),
    status: read("status", parseStatus, "a status code such as 404, or a class of them such as 4xx"),
    path: read(
      "path",
      parsePath,
      `a path or a pattern such as /api/v1/todos/{id} or *.pdf, of at most ${maxPathLength} characters`,
    ),
    minDurationMs: read("min_duration", parseDuration, "a number of milliseconds"),
    maxDurationMs: read("max_duration", parseDuration, "a number of milliseconds"),
    limit: read("limit", parseLimit, `a whole number from 1 to ${maxLimit}`),
    cursor: read(
      "cursor",
      (text) => (isCursor(text) ? text : undefined),
      "one that an earlier page gave out",
    ),
  };
  refuseInvalid({ ...contradictions(query), ...problems });
  return query;
}

function problem(name: string, expected: string): FieldProblem {
  return { code: "invalid", message: `The value of ${name} must be ${expected}.` };
}

/** What is right by itself and wrong together. */
function contradictions(query: LogQuery): Record<string, FieldProblem | undefined> {
  const {
    from = 0,
    to = from,
    minDurationMs = 0,
    maxDurationMs = minDurationMs,
    event = requestEvent,
  } = query;
  const requestsOnly = `${requestEvent} or left out, because only requests have a method, status, path and duration`;
  return {
    to: to < from ? problem("to", "no earlier than from") : undefined,
    max_duration:
      maxDurationMs < minDurationMs ? problem("max_duration", "no less than min_duration") : undefined,
    event: event !== requestEvent && isAboutRequests(query) ? problem("event", requestsOnly) : undefined,
  };
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

/** Matching takes the time of the pattern's length times the path's. */
const maxPathLength = 1_024;

function parsePath(text: string): string | undefined {
  return /^[/*]/.test(text) && text.length <= maxPathLength ? text : undefined;
}

function parseDuration(text: string): number | undefined {
  return /^\d{1,12}(\.\d{1,6})?$/.test(text) ? Number(text) : undefined;
}

function parseLimit(text: string): number | undefined {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return limit >= 1 && limit <= maxLimit ? limit : undefined;
}
