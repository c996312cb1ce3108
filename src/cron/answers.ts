import type { Run } from "./runs/run.ts";
import type { Analytics, Job, SchedulerStatus } from "./types.ts";

/** Response bodies of the cron API. Field names follow the contract. */

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
    removed: job.isRemoved,
    timezone: job.timezone,
    overlap: job.overlap,
    catch_up: job.catchUp,
    retries: job.retries,
    ...(job.timeoutMs !== undefined && { timeout_ms: job.timeoutMs }),
  };
}

export function toStatusAnswer({ isRunning, jobsCount, timezone, uptimeSeconds }: SchedulerStatus) {
  return { running: isRunning, jobs_count: jobsCount, timezone, uptime_seconds: uptimeSeconds };
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

export function toAnalyticsAnswer(analytics: Analytics) {
  return {
    total_executions: analytics.executions,
    success_count: analytics.successCount,
    failed_count: analytics.failedCount,
    success_rate: analytics.successRate,
    avg_duration_ms: analytics.averageDurationMs,
    by_job: analytics.byJob.map((job) => ({
      job_id: job.jobId,
      executions: job.executions,
      success_count: job.successCount,
      failed_count: job.failedCount,
      avg_duration_ms: job.averageDurationMs,
    })),
  };
}
