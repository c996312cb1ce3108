import type { RequestSeries, RequestStats } from "../../../src/features/metrics/wire.ts";
import { formatSpan } from "../format/numbers.ts";
import type { ChartLine } from "./chart.ts";

/** Chart lines and ratios derived from request metrics. */

const classes = [
  { part: "status_2xx", label: "2xx", colour: "blue" },
  { part: "status_3xx", label: "3xx", colour: "grey" },
  { part: "status_4xx", label: "4xx", colour: "amber" },
  { part: "status_5xx", label: "5xx", colour: "red" },
] as const;

/** Requests per second by status class, or those of one class. */
export function classLines(series: RequestSeries | undefined, only?: string): ChartLine[] {
  const seconds = (series?.step_ms ?? 1_000) / 1_000;
  const wanted = classes.filter(({ label }) => only === undefined || label === only);
  return wanted.map(({ part, label, colour }) => ({
    label,
    colour,
    values: series?.points.map((point) => point[part] / seconds) ?? [],
  }));
}

const percentiles = [
  { part: "p50_ms", label: "p50", colour: "teal" },
  { part: "p95_ms", label: "p95", colour: "blue" },
  { part: "p99_ms", label: "p99", colour: "pink" },
] as const;

export function latencyLines(series: RequestSeries | undefined): ChartLine[] {
  return percentiles.map(({ part, label, colour }) => ({
    label,
    colour,
    values: series?.points.map((point) => point[part] ?? null) ?? [],
  }));
}

/** The period of each percentile, if it differs from the chart's step. */
export function latencyHint(series: RequestSeries | undefined): string | undefined {
  if (!series || series.latency_step_ms === series.step_ms) return undefined;
  return `each of the last ${formatSpan(series.latency_step_ms)}, because there are few requests`;
}

/** The times of a series with one point per step. */
export function timesOf({ from, step_ms }: { from: number; step_ms: number }, count: number): number[] {
  return Array.from({ length: count }, (_, index) => from + index * step_ms);
}

/** The share of 5xx responses. */
export function failedShare({ count, status_5xx }: Pick<RequestStats, "count" | "status_5xx">): number {
  return count === 0 ? 0 : status_5xx / count;
}
