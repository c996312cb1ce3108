import type { RequestSeries, SystemSeries } from "../../../../src/features/metrics/wire.ts";

/** Values that the overview derives from metrics. */

/** Requests per second over the whole window. */
export function meanRate({ totals, from, to }: RequestSeries): number {
  return totals.count / ((to - from) / 1_000);
}

/** One metric over time, combined over all instances: their sum or their maximum. */
export function systemLine(
  series: SystemSeries | undefined,
  name: string,
  join: "sum" | "worst",
): (number | null)[] {
  const lines = Object.values(series?.instances ?? {}).flatMap((metrics) => {
    const line = metrics[name];
    return line ? [join === "worst" ? line.max : line.mean] : [];
  });
  const length = lines[0]?.length ?? 0;
  return Array.from({ length }, (_, index) => {
    const known = lines.flatMap((line) => (line[index] == null ? [] : [line[index]]));
    if (known.length === 0) return null;
    return join === "sum" ? known.reduce((sum, value) => sum + value, 0) : Math.max(...known);
  });
}

export function meanOf(values: readonly (number | null)[]): number | undefined {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0) / known.length;
}
