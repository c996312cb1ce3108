import type { InstanceRecord } from "./history/history.ts";
import type { RecentRequest } from "./requests/recent-requests.ts";
import type { SlowRequest } from "./requests/slowest.ts";
import type { SystemDescription } from "./system/sampler.ts";

/** The machine and the versions, as the API spells them. */
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
  const { number, time, traceId, method, path, route, statusCode, durationMs, ip, userAgent } = request;
  return {
    number,
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
