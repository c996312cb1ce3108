import type { JobSums, RunSums } from "./run-log.ts";

/** Statistics of the finished runs in the log. Timed-out and interrupted runs count as failed. */
export interface Analytics {
  /** Number of finished runs. */
  readonly totalExecutions: number;
  /**
   * The same as `totalExecutions`.
   *
   * @deprecated Use `totalExecutions`.
   */
  readonly executions: number;
  /** Number of runs that succeeded. */
  readonly successCount: number;
  /** Number of runs that failed. */
  readonly failedCount: number;
  /** Percentage with one decimal; 0 without runs. */
  readonly successRate: number;
  /** Average duration of a run, in milliseconds. */
  readonly avgDurationMs: number;
  /**
   * The same as `avgDurationMs`.
   *
   * @deprecated Use `avgDurationMs`.
   */
  readonly averageDurationMs: number;
  /** The same for each job. */
  readonly byJob: readonly JobAnalytics[];
}

/** Statistics of the finished runs of one job. */
export interface JobAnalytics {
  /** ID of the job. */
  readonly jobId: string;
  /** Number of finished runs. */
  readonly executions: number;
  /** Number of runs that succeeded. */
  readonly successCount: number;
  /** Number of runs that failed. */
  readonly failedCount: number;
  /** Average duration of a run, in milliseconds. */
  readonly avgDurationMs: number;
  /**
   * The same as `avgDurationMs`.
   *
   * @deprecated Use `avgDurationMs`.
   */
  readonly averageDurationMs: number;
}

/** Computes rates and averages from the sums in the database. */
export function toAnalytics(sums: readonly JobSums[]): Analytics {
  const all = sums.reduce(add, { executions: 0, successCount: 0, failedCount: 0, durationMs: 0 });
  const { successCount, executions } = all;
  const successRate = executions === 0 ? 0 : Math.round((successCount / executions) * 1_000) / 10;
  const byJob = sums.map((ofJob) => ({ jobId: ofJob.jobId, ...withAverage(ofJob) }));
  return { totalExecutions: executions, ...withAverage(all), successRate, byJob };
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
  const avgDurationMs = executions === 0 ? 0 : Math.round((durationMs / executions) * 100) / 100;
  return { executions, successCount, failedCount, avgDurationMs, averageDurationMs: avgDurationMs };
}
