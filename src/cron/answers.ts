import type { Run } from "./runs/run.ts";
import type { JobAnalytics } from "./runs/run-log.ts";
import type { Job } from "./types.ts";

/** What the API says, spelled as the contract spells it, here and nowhere else. */

export function toTime(date: Date): string {
  return date.toISOString();
}

export function toJob(job: Job) {
  return {
    id: job.id,
    name: job.name,
    description: job.description,
    schedule: job.schedule,
    is_system: job.isSystem,
    ...(job.nextRun && { next_run: toTime(job.nextRun) }),
    ...(job.lastRun && { last_run: toTime(job.lastRun), last_status: job.lastStatus }),
  };
}

export function toFullJob(job: Job) {
  return {
    ...toJob(job),
    paused: job.isPaused,
    timezone: job.timezone,
    overlap: job.overlap,
    catch_up: job.catchUp,
    retries: job.retries,
    ...(job.timeoutMs !== undefined && { timeout_ms: job.timeoutMs }),
  };
}

export function toLogEntry(run: Run) {
  return {
    id: run.id,
    job_id: run.jobId,
    job_name: run.jobName,
    start_time: toTime(run.startedAt),
    ...(run.endedAt && { end_time: toTime(run.endedAt), duration_ms: run.durationMs }),
    status: run.status,
    output: run.output,
  };
}

export function toFullEntry(run: Run) {
  return {
    ...toLogEntry(run),
    trigger: run.trigger,
    ...(run.actor !== undefined && { actor: run.actor }),
    trace_id: run.traceId,
    scheduled_at: toTime(run.scheduledAt),
    attempt: run.attempt,
    ...(run.progress !== undefined && { progress: run.progress }),
  };
}

export function toAnalytics(jobs: readonly JobAnalytics[]) {
  const sum = (of: (job: JobAnalytics) => number) => jobs.reduce((total, job) => total + of(job), 0);
  const executions = sum((job) => job.executions);
  const successCount = sum((job) => job.successCount);
  return {
    total_executions: executions,
    success_count: successCount,
    failed_count: sum((job) => job.failedCount),
    success_rate: toRate(successCount, executions),
    avg_duration_ms: toAverage(
      sum((job) => job.durationMs),
      executions,
    ),
    by_job: jobs.map((job) => ({
      job_id: job.jobId,
      executions: job.executions,
      success_count: job.successCount,
      failed_count: job.failedCount,
      avg_duration_ms: toAverage(job.durationMs, job.executions),
    })),
  };
}

/** A percentage with one decimal. */
function toRate(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 1_000) / 10;
}

function toAverage(total: number, count: number): number {
  return count === 0 ? 0 : Math.round((total / count) * 100) / 100;
}
