import type { FieldProblem } from "../../lib/errors.ts";
import { refuseInvalid } from "../../lib/fields.ts";
import { parseTime } from "../../lib/time-window.ts";
import { type RunStatus, runStatuses, type Trigger, triggers } from "../tables.ts";
import type { RunQuery } from "../types.ts";

/** Filter for runs. Absent fields match all runs. */
export interface RunFilter {
  readonly jobId?: string | undefined;
  readonly traceId?: string | undefined;
  readonly statuses?: readonly RunStatus[] | undefined;
  readonly triggers?: readonly Trigger[] | undefined;
  /** Start time range in milliseconds since the epoch; `to` is exclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

const maxTraceIdLength = 128;

/** Validates a filter. The error names each invalid value. */
export function parseRunFilter({ jobId, traceId, status, trigger, from, to }: RunQuery): RunFilter {
  const problems: Record<string, FieldProblem | undefined> = {};
  const read = <T>(name: string, value: T | undefined, isFit: boolean, expected: string): T | undefined => {
    if (!isFit) problems[name] = { code: "invalid", message: `The value of ${name} must be ${expected}.` };
    return value;
  };
  const readList = <T extends string>(name: string, text: string | undefined, allowed: readonly T[]) => {
    const words = text === undefined ? undefined : (text.split(",") as T[]);
    const isFit = words === undefined || words.every((word) => allowed.includes(word));
    return read(name, words, isFit, `one or more of ${allowed.join(", ")}, separated by commas`);
  };
  const readTime = (name: string, time: RunQuery["from"]) => {
    const value = toMilliseconds(time);
    const isFit = time === undefined || Number.isSafeInteger(value);
    return read(name, value, isFit, "a time such as 2026-11-15T14:00:00Z, or milliseconds since the epoch");
  };
  const isTrace = traceId === undefined || (traceId.length <= maxTraceIdLength && !traceId.includes("\0"));
  const filter = {
    jobId,
    traceId: read("trace_id", traceId, isTrace, `a trace ID of at most ${maxTraceIdLength} characters`),
    statuses: readList("status", status, runStatuses),
    triggers: readList("trigger", trigger, triggers),
    from: readTime("from", from),
    to: readTime("to", to),
  };
  if (filter.from !== undefined && filter.to !== undefined && !problems.to)
    read("to", filter.to, filter.to > filter.from, "later than that of from");
  refuseInvalid(problems);
  return filter;
}

function toMilliseconds(time: RunQuery["from"]): number | undefined {
  if (time === undefined || typeof time === "number") return time;
  return typeof time === "string" ? parseTime(time) : time.getTime();
}
