import { toAnalyticsResponse, toFullJob, toStatusResponse } from "../api/responses.ts";
import type { RecentRun, RunBar, RunDot, RunInProgress } from "../runs/history/run-history.ts";
import type * as wire from "../wire.ts";
import type { JobSummary } from "./job-summaries.ts";
import type { JobList, JobPage, Timeline } from "./overview.ts";
import type { MissedTick, Planned } from "./timeline.ts";
import type { ZoneChange } from "./zone-change.ts";

/** Response bodies for the dashboard. JSON omits fields that are undefined. */

export function toListResponse({ status, analytics, jobs, isTruncated }: JobList): wire.JobList {
  const { by_job, ...sums } = toAnalyticsResponse(analytics);
  return {
    status: toStatusResponse(status),
    analytics: sums,
    jobs: jobs.map(toSummary),
    truncated: isTruncated,
  };
}

export function toJobResponse(
  { summary, nextRuns, runs }: JobPage,
  queued: readonly wire.QueuedRun[],
): wire.JobDetails {
  return {
    ...toSummary(summary),
    next_runs: nextRuns.map((date) => date.getTime()),
    queued,
    runs: runs.map(toDot),
  };
}

function toSummary(summary: JobSummary): wire.Job {
  const { job, scheduleWords, running, history, trend, runsKept, failedKept } = summary;
  const { next_run, last_run, ...full } = toFullJob(job);
  return {
    ...full,
    schedule_words: scheduleWords,
    next_run: job.nextRun?.getTime(),
    last_run: job.lastRun?.getTime(),
    paused_at: job.isPaused ? job.pausedAt?.getTime() : undefined,
    paused_by: job.isPaused ? job.pausedBy : undefined,
    removed_at: job.isRemoved ? job.removedAt?.getTime() : undefined,
    removed_by: job.isRemoved ? job.removedBy : undefined,
    running: running.map(toRunning),
    recent: history.recent.map(toRecent),
    p50_ms: history.spread?.p50,
    p95_ms: history.spread?.p95,
    trend,
    runs_kept: runsKept,
    failed_kept: failedKept,
  };
}

function toRunning({ id, startedAt, progress }: RunInProgress): wire.RunningRun {
  return { run_id: id, started_at: startedAt, progress: progress ?? undefined };
}

function toRecent({ id, status, startedAt, durationMs }: RecentRun): wire.RecentRun {
  return { id, status, start_time: startedAt, duration_ms: durationMs };
}

function toDot(run: RunDot): wire.RunDot {
  const { trigger, actor, attempt } = run;
  return { ...toRecent(run), trigger, actor, attempt };
}

export function toTimelineResponse(from: number, to: number, timeline: Timeline): wire.Timeline {
  const { now, runs, planned, missed } = timeline;
  return {
    from,
    to,
    now,
    runs: runs.items.map(toBar),
    truncated: runs.isTruncated,
    planned: planned.items.map(toPlanned),
    planned_truncated: planned.isTruncated,
    missed: missed.items.map(toMissed),
    missed_truncated: missed.isTruncated,
  };
}

function toBar({ id, jobId, jobName, status, trigger, startedAt, endedAt }: RunBar): wire.RunBar {
  return {
    id,
    job_id: jobId,
    job_name: jobName,
    status,
    trigger,
    start_time: startedAt,
    end_time: endedAt,
  };
}

function toPlanned(planned: Planned): wire.PlannedTick | wire.PlannedBand {
  if ("time" in planned) return { job_id: planned.jobId, time: planned.time };
  const { jobId, everyMs, from, to } = planned;
  return { job_id: jobId, every_ms: everyMs, from, to };
}

function toMissed({ jobId, time, isOverlap }: MissedTick): wire.MissedTick {
  return { job_id: jobId, time, overlap: isOverlap || undefined };
}

export function toZoneResponse(change: ZoneChange & { timezone: string; current: string }): wire.ZonePreview {
  return {
    timezone: change.timezone,
    current: change.current,
    jobs_affected: change.affected,
    examples: change.examples.map(({ job, before, after }) => ({
      job_id: job.id,
      name: job.name,
      schedule: job.schedule.expression,
      before,
      after,
    })),
  };
}
