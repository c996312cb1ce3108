import type { RequestRow } from "../../data/request-rows.ts";
import type { FieldValue, RecordFilter } from "../../query-bar/parse.ts";
import type { Params } from "../../state/address.ts";

/** The parameters of the in-memory search, which does not support field values and text. */
export function toRecentParams(filter: RecordFilter): Params {
  const { status, method, path, route, trace, instance, minDurationMs, maxDurationMs } = filter;
  return {
    status,
    method,
    path,
    route,
    trace,
    instance,
    min_duration: minDurationMs,
    max_duration: maxDurationMs,
  };
}

/** Whether the remaining conditions match, with the semantics of the log search. */
export function matchesRest(row: RequestRow, { where, not, text }: RecordFilter): boolean {
  const has = ({ field, value }: FieldValue) => fieldOf(row, field, value) === value;
  return where.every(has) && !not.some(has) && (text === undefined || hasText(row, text.toLowerCase()));
}

function fieldOf(
  { trace, method, path, status, ip, userAgent, instance = "" }: RequestRow,
  field: string,
  wanted: string,
): string {
  // A record's status includes the reason phrase; comparing the code is enough.
  const text = wanted.startsWith(`${status} `) ? wanted : String(status);
  const fields: Record<string, string> = {
    trace_id: trace,
    method,
    path,
    status: text,
    ip,
    user_agent: userAgent,
    instance,
  };
  return fields[field] ?? "";
}

function hasText(
  { trace, method, path, route = "", status, ip, userAgent }: RequestRow,
  wanted: string,
): boolean {
  return [trace, method, path, route, String(status), ip, userAgent].some((text) =>
    text.toLowerCase().includes(wanted),
  );
}
