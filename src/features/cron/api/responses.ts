import type { Job, SchedulerStatus } from "../jobs/job-manager.ts";
import type { Analytics } from "../runs/analytics.ts";
import type { Run } from "../runs/run.ts";
import type * as wire from "../wire.ts";

/** Response bodies of the cron API. Field names follow the contract. JSON omits fields that are undefined. */

export function toTime(date: Date): string {
  return date.toISOString();
}

export function toJob(job: Job): wire.JobEntry {
  return {
    id: job.id,
    name: job.name,
    description: job.description,
    schedule: job.schedule,
    is_system: job.isSystem,
    next_run: job.nextRun && toTime(job.nextRun),
    last_run: job.lastRun && toTime(job.lastRun),
    last_status: job.lastStatus,
  };
}

export function toFullJob(job: Job): wire.FullJobEntry {
  return {
    ...toJob(job),
    paused: job.isPaused,
    removed: job.isRemoved,
    timezone: job.timezone,
    overlap: job.overlap,
    catch_up: job.catchUp,
    retries: job.retries,
    timeout_ms: job.timeoutMs,
  };
}

export function toStatusResponse(status: SchedulerStatus): wire.SchedulerStatus {
  const { isRunning, jobsCount, timezone, uptimeSeconds } = status;
  return { running: isRunning, jobs_count: jobsCount, timezone, uptime_seconds: uptimeSeconds };
}

export function toLogEntry(run: Run): wire.RunEntry {
  return {
    id: run.id,
    job_id: run.jobId,
    job_name: run.jobName,
    start_time: toTime(run.startedAt),
    end_time: run.endedAt && toTime(run.endedAt),
    duration_ms: run.durationMs,
    status: run.status,
    output: run.output,
  };
}

export function toFullEntry(run: Run): wire.Run {
  return {
    ...toLogEntry(run),
    trigger: run.trigger,
    actor: run.actor,
    trace_id: run.traceId,
    scheduled_at: toTime(run.scheduledAt),
    attempt: run.attempt,
    progress: run.progress,
    instance: run.instance,
  };
}

export function toAnalyticsResponse(analytics: Analytics): wire.Analytics {
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
