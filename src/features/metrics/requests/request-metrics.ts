import type * as wire from "../wire.ts";
import type { RequestStats } from "./request-stats.ts";

/** The numbers of some requests, as the API shows them. */
export function toRequestMetrics(stats: RequestStats): wire.RequestStats {
  const { count, classes, aborted, bytesIn, bytesOut, totalUs, longestUs, durations } = stats;
  const latencies = durations.percentiles([0.5, 0.95, 0.99]);
  const [, status_1xx, status_2xx, status_3xx, status_4xx, status_5xx] = [...classes] as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const values = {
    count,
    status_1xx,
    status_2xx,
    status_3xx,
    status_4xx,
    status_5xx,
    aborted,
    bytes_in: bytesIn,
    bytes_out: bytesOut,
    total_ms: toMs(totalUs),
  };
  if (!latencies) return values;
  // The middle of a bucket may exceed the maximum.
  const [p50_ms, p95_ms, p99_ms] = latencies.map((value) => toMs(Math.min(value, Math.max(longestUs, 1))));
  return {
    ...values,
    mean_ms: toMs(totalUs / count),
    p50_ms: p50_ms!,
    p95_ms: p95_ms!,
    p99_ms: p99_ms!,
    max_ms: toMs(longestUs),
  };
}

const toMs = (microseconds: number) => Math.round(microseconds) / 1_000;
