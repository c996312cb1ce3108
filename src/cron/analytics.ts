import type { JobSums, RunSums } from "./runs/run-log.ts";
import type { Analytics } from "./types.ts";

/** Computes rates and averages from the sums in the database. */
export function toAnalytics(sums: readonly JobSums[]): Analytics {
  const all = sums.reduce(add, { executions: 0, successCount: 0, failedCount: 0, durationMs: 0 });
  const { successCount, executions } = all;
  const successRate = executions === 0 ? 0 : Math.round((successCount / executions) * 1_000) / 10;
  const byJob = sums.map((ofJob) => ({ jobId: ofJob.jobId, ...withAverage(ofJob) }));
  return { ...withAverage(all), successRate, byJob };
}

function add(one: RunSums, other: RunSums): RunSums {
  return {
    executions: one.executions + other.executions,
    successCount: one.successCount + other.successCount,
    failedCount: one.failedCount + other.failedCount,
    durationMs: one.durationMs + other.durationMs,
  };
}

function withAverage({ executions, successCount, failedCount, durationMs }: RunSums) {
  const averageDurationMs = executions === 0 ? 0 : Math.round((durationMs / executions) * 100) / 100;
  return { executions, successCount, failedCount, averageDurationMs };
}
