import type { LongRequest } from "../http/index.ts";
import type { InstanceRecord } from "./history/history.ts";
import type { RouteFigures, RouteTable } from "./history/queries.ts";
import { cutText } from "./requests/cut-text.ts";
import type { RecentDetail, RecentRequest } from "./requests/recent-requests.ts";
import type { SlowRequest } from "./requests/slowest.ts";
import type { SystemDescription } from "./system/sampler.ts";

/** The machine and the versions in the format of the API. */
export function toSystemAnswer({
  cpuCount,
  cpuModel,
  nodeVersion,
  v8Version,
  annexVersion,
  ...rest
}: SystemDescription) {
  return {
    ...rest,
    cpu_count: cpuCount,
    ...(cpuModel !== undefined && { cpu_model: cpuModel }),
    node_version: nodeVersion,
    v8_version: v8Version,
    ...(annexVersion !== undefined && { annex_version: annexVersion }),
  };
}

export function toInstanceAnswer({ instance, started_at, seen_at, description }: InstanceRecord) {
  return { instance, started_at: started_at * 1_000, seen_at: seen_at * 1_000, description };
}

export function toSlowAnswer({ time, traceId, method, path, route, statusCode, durationMs }: SlowRequest) {
  return { time, trace_id: traceId, method, path, route, status: statusCode, duration_ms: durationMs };
}

export function toRecentAnswer(request: RecentRequest) {
  const { number, startedAt, time, traceId, method, path, route, statusCode, durationMs, ip, userAgent } =
    request;
  return {
    number,
    started_at: startedAt,
    time,
    trace_id: traceId,
    method,
    path,
    ...(route !== undefined && { route }),
    status: statusCode,
    duration_ms: Math.round(durationMs * 1_000) / 1_000,
    bytes_in: request.bytesIn,
    bytes_out: request.bytesOut,
    ip,
    user_agent: userAgent,
  };
}

export function toDetailAnswer({ headers, inFlight, ...request }: RecentDetail) {
  return { ...toRecentAnswer(request), headers, in_flight: inFlight.map(toBesideAnswer) };
}

function toBesideAnswer(request: RecentRequest) {
  const { trace_id, method, path, route, status, started_at, duration_ms } = toRecentAnswer(request);
  return { trace_id, method, path, ...(route !== undefined && { route }), status, started_at, duration_ms };
}

export function toLongAnswer({ traceId, method, path, route, startedAt, ageMs, phase }: LongRequest) {
  return {
    trace_id: traceId,
    method,
    path: cutText(path),
    ...(route !== undefined && { route }),
    started_at: startedAt,
    age_ms: ageMs,
    phase,
  };
}

const routeColumns = [
  "route",
  "count",
  "status_1xx",
  "status_2xx",
  "status_3xx",
  "status_4xx",
  "status_5xx",
  "aborted",
  "bytes_in",
  "bytes_out",
  "total_ms",
  "mean_ms",
  "p50_ms",
  "p95_ms",
  "p99_ms",
  "max_ms",
  "previous_count",
  "previous_p95_ms",
] as const satisfies (keyof RouteFigures)[];

/** Converts routes to table rows. Unknown values are empty cells. */
export function toRouteRows({ routes }: RouteTable) {
  return { header: routeColumns, rows: routes.map((route) => routeColumns.map((name) => route[name])) };
}
