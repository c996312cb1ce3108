import type { LongRequest } from "../../http/index.ts";
import type { InstanceRecord } from "./fleet/instance-store.ts";
import { cutText } from "./requests/cut-text.ts";
import type { RecentDetail, RecentRequest } from "./requests/recent-requests.ts";
import type { SlowRequest } from "./requests/slowest.ts";
import type { SystemDescription } from "./system/sampler.ts";
import type * as wire from "./wire.ts";

/** Response bodies. JSON omits fields that are undefined. */

/** The machine and the versions in the format of the API. */
export function toSystemResponse({
  cpuCount,
  cpuModel,
  nodeVersion,
  v8Version,
  annexVersion,
  appRelease,
  ...rest
}: SystemDescription): wire.SystemDescription {
  return {
    ...rest,
    cpu_count: cpuCount,
    cpu_model: cpuModel,
    node_version: nodeVersion,
    v8_version: v8Version,
    annex_version: annexVersion,
    app_release: appRelease,
  };
}

/** After this time without a heartbeat, an instance is lost. Without a status, it writes two a minute. */
const lostMs = 20_000;
const rarelySeenMs = 75_000;

export function toInstanceResponse(record: InstanceRecord, now: number): wire.Instance {
  const { instance, startedAt, beatAgeMs, isStopped, description, status } = record;
  const isLost = beatAgeMs > (status ? lostMs : rarelySeenMs);
  const state = isStopped ? "stopped" : isLost ? "lost" : "running";
  return {
    instance,
    started_at: startedAt,
    seen_at: now - beatAgeMs,
    state,
    description,
    status: state === "running" ? status : undefined,
  };
}

export function toSlowResponse(request: SlowRequest): wire.SlowRequest {
  const { time, traceId, method, path, route, statusCode, durationMs, instance = "" } = request;
  return {
    instance,
    time,
    trace_id: traceId,
    method,
    path,
    route,
    status: statusCode,
    duration_ms: durationMs,
  };
}

export function toRecentResponse(instance: string, request: RecentRequest): wire.RecentRequest {
  const { number, startedAt, time, traceId, method, path, route, statusCode, durationMs, ip, userAgent } =
    request;
  return {
    instance,
    number,
    started_at: startedAt,
    time,
    trace_id: traceId,
    method,
    path,
    route,
    status: statusCode,
    duration_ms: Math.round(durationMs * 1_000) / 1_000,
    bytes_in: request.bytesIn,
    bytes_out: request.bytesOut,
    ip,
    user_agent: userAgent,
  };
}

export function toDetailResponse(
  instance: string,
  { headers, inFlight, ...request }: Omit<RecentDetail, "headers"> & Partial<Pick<RecentDetail, "headers">>,
): wire.RequestDetail {
  return { ...toRecentResponse(instance, request), headers, in_flight: inFlight.map(toConcurrent) };
}

function toConcurrent(request: RecentRequest): wire.ConcurrentRequest {
  const { trace_id, method, path, route, status, started_at, duration_ms } = toRecentResponse("", request);
  return { trace_id, method, path, route, status, started_at, duration_ms };
}

export function toLongResponse(request: LongRequest): wire.LongRequest {
  const { traceId, method, path, route, startedAt, ageMs, phase } = request;
  return {
    trace_id: traceId,
    method,
    path: cutText(path),
    route,
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
  "previous_status_5xx",
] as const satisfies (keyof wire.RouteStats)[];

/** Converts routes to table rows. Unknown values are empty cells. */
export function toRouteRows({ routes }: Pick<wire.RouteTable, "routes">) {
  return { header: routeColumns, rows: routes.map((route) => routeColumns.map((name) => route[name])) };
}
