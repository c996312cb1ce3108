import type { PastIssue } from "../../../feature/index.ts";
import type { SystemSample } from "../system/sampler.ts";
import type { Stall } from "../wire/stalls.ts";
import type { SystemSeries } from "../wire.ts";
import { findSystemIssues } from "./system-rules.ts";

/** The metrics that the rules read. */
export const evaluatedMetrics = [
  "loop.delay_p99_ms",
  "disk.available_bytes",
  "disk.used_bytes",
  "container.memory_used_bytes",
  "container.memory_limit_bytes",
  "process.heap_used_bytes",
  "process.heap_limit_bytes",
];

type Series = SystemSeries["instances"][string];

/** A step is at least a minute, so it counts as the samples of a minute. */
const samplesPerStep = 10;

export interface PastSystem {
  readonly series: Series;
  readonly from: number;
  readonly stepMs: number;
  readonly stalls: readonly Stall[];
}

/** Finds what was wrong with the process or the machine in a period, with its first and last time. */
export function findPastSystem({ series, from, stepMs, stalls }: PastSystem): PastIssue[] {
  const found = new Map<string, PastIssue>();
  const count = Math.max(0, ...Object.values(series).map(({ mean }) => mean.length));
  for (let index = 0; index < count; index++) {
    const time = from + index * stepMs;
    const sample = sampleAt(series, index);
    // The first step after a start contains the start itself.
    if (index === 0 || isEmpty(sampleAt(series, index - 1))) continue;
    for (const issue of issuesOf(sample, stalls)) {
      const known = found.get(issue.id);
      const isWorse = known?.status !== "failing" && issue.status === "failing";
      const described = known && !isWorse ? known : issue;
      found.set(issue.id, { ...described, since: known?.since ?? time, until: time + stepMs });
    }
  }
  return [...found.values()];
}

const isEmpty = (sample: SystemSample) => Object.keys(sample).length === 0;

function issuesOf(sample: SystemSample, stalls: readonly Stall[]) {
  return findSystemIssues({
    seconds: Array.from({ length: samplesPerStep }, () => sample),
    longRequests: { count: 0, handling: 0, listed: [] },
    longRequestMs: 0,
    stalls,
  });
}

function sampleAt(series: Series, index: number): SystemSample {
  const values = Object.entries(series).flatMap(([name, { mean }]) => {
    const value = mean[index];
    return value === undefined || value === null ? [] : [[name, value] as const];
  });
  return Object.fromEntries(values);
}
