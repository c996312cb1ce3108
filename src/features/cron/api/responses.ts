import type { Job, SchedulerStatus } from "../jobs/job-manager.ts";
import type { QueuedRun } from "../queue/queued-run.ts";
import type { Analytics } from "../runs/history/analytics.ts";
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
    on_interrupt: job.onInterrupt,
    group: job.group,
    waiting: job.waiting,
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

/** Hides secrets in the parameters of a run. */
export type Redact = (value: unknown) => unknown;

export function toFullEntry(run: Run, redact: Redact): wire.Run {
  return {
    ...toLogEntry(run),
    trigger: run.trigger,
    actor: run.actor,
    trace_id: run.traceId,
    scheduled_at: toTime(run.scheduledAt),
    attempt: run.attempt,
    progress: run.progress,
    instance: run.instance,
    parameters: redact(run.parameters),
  };
}

export function toRunDetails(
  { run, attempts, retry }: { run: Run; attempts: readonly Run[]; retry: QueuedRun | undefined },
  redact: Redact,
): wire.RunDetails {
  return {
    ...toFullEntry(run, redact),
    attempts: attempts.length > 1 ? attempts.map(toAttempt) : undefined,
    retry: retry && toQueuedEntry(retry, redact),
  };
}

function toAttempt({ id, attempt, status, startedAt, instance }: Run): wire.RunAttempt {
  return { id, attempt, status, start_time: toTime(startedAt), instance };
}

export function toQueuedEntry(run: QueuedRun, redact: Redact): wire.QueuedRun {
  return {
    id: run.id,
    job_id: run.jobId,
    status: "queued",
    run_at: toTime(run.runAt),
    trigger: run.trigger,
    actor: run.actor,
    trace_id: run.traceId,
    attempt: run.attempt,
    retry_of: run.retryOf,
    reason: run.reason,
    parameters: redact(run.parameters),
  };
}

export function toAnalyticsResponse(analytics: Analytics): wire.Analytics {
  return {
    total_executions: analytics.totalExecutions,
    success_count: analytics.successCount,
    failed_count: analytics.failedCount,
    success_rate: analytics.successRate,
    avg_duration_ms: analytics.avgDurationMs,
    by_job: analytics.byJob.map((job) => ({
      job_id: job.jobId,
      executions: job.executions,
      success_count: job.successCount,
      failed_count: job.failedCount,
      avg_duration_ms: job.avgDurationMs,
    })),
  };
}
