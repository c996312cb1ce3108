import { toRequestMetrics } from "../requests/request-metrics.ts";
import type { RequestStats } from "../requests/request-stats.ts";
import type { HealthReport } from "../wire.ts";

export type Rates = Pick<HealthReport, "requests_per_second" | "p95_ms" | "error_ratio">;

export function toRates(stats: RequestStats, seconds: number): Rates {
  const { count, status_5xx, p95_ms } = toRequestMetrics(stats);
  return {
    requests_per_second: seconds === 0 ? 0 : toThousandths(count / seconds),
    p95_ms,
    error_ratio: count === 0 ? undefined : Math.round((status_5xx / count) * 1e6) / 1e6,
  };
}

export const toThousandths = (value: number) => Math.round(value * 1_000) / 1_000;
