import { toAnalyticsAnswer, toFullJob, toStatusAnswer } from "./answers.ts";
import type { JobList, JobPage, JobSummary, Timeline } from "./overview.ts";
import type { RecentRun, RunBar, RunDot } from "./runs/run-history.ts";
import type { MissedTick, Planned } from "./timeline.ts";
import type { ZoneChange } from "./zone-change.ts";

/** Response bodies for the dashboard. All times are milliseconds since the epoch. */

export function toListAnswer({ status, analytics, jobs, isTruncated }: JobList) {
  const { by_job, ...sums } = toAnalyticsAnswer(analytics);
  return {
    status: toStatusAnswer(status),
    analytics: sums,
    jobs: jobs.map(toSummary),
    truncated: isTruncated,
  };
}

export function toJobAnswer({ summary, nextRuns, runs }: JobPage) {
  return {
    ...toSummary(summary),
    next_runs: nextRuns.map((date) => date.getTime()),
    runs: runs.map(toDot),
  };
}

function toSummary({ job, scheduleWords, running, history, trend, runsKept, failedKept }: JobSummary) {
  const { next_run, last_run, ...full } = toFullJob(job);
  return {
    ...full,
    schedule_words: scheduleWords,
    ...(job.nextRun && { next_run: job.nextRun.getTime() }),
    ...(job.lastRun && { last_run: job.lastRun.getTime() }),
    ...(job.isPaused && job.pausedAt && { paused_at: job.pausedAt.getTime() }),
    ...(job.isPaused && job.pausedBy !== undefined && { paused_by: job.pausedBy }),
    ...(job.isRemoved && job.removedAt && { removed_at: job.removedAt.getTime() }),
    ...(job.isRemoved && job.removedBy !== undefined && { removed_by: job.removedBy }),
    running: running.map(({ id, startedAt, progress }) => ({
      run_id: id,
      started_at: startedAt,
      ...(progress !== null && { progress }),
    })),
    recent: history.recent.map(toRecent),
    ...(history.spread && { p50_ms: history.spread.p50, p95_ms: history.spread.p95 }),
    ...(trend !== undefined && { trend }),
    runs_kept: runsKept,
    failed_kept: failedKept,
  };
}

function toRecent({ id, status, startedAt, durationMs }: RecentRun) {
  return { id, status, start_time: startedAt, duration_ms: durationMs };
}

function toDot(run: RunDot) {
  const { trigger, actor, attempt } = run;
  return { ...toRecent(run), trigger, ...(actor !== undefined && { actor }), attempt };
}

export function toTimelineAnswer(from: number, to: number, { now, runs, planned, missed }: Timeline) {
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

function toBar({ id, jobId, jobName, status, trigger, startedAt, endedAt }: RunBar) {
  return {
    id,
    job_id: jobId,
    job_name: jobName,
    status,
    trigger,
    start_time: startedAt,
    ...(endedAt !== undefined && { end_time: endedAt }),
  };
}

function toPlanned(planned: Planned) {
  if ("time" in planned) return { job_id: planned.jobId, time: planned.time };
  const { jobId, everyMs, from, to } = planned;
  return { job_id: jobId, every_ms: everyMs, from, to };
}

function toMissed({ jobId, time, isOverlap }: MissedTick) {
  return { job_id: jobId, time, ...(isOverlap && { overlap: true }) };
}

export function toZoneAnswer(change: ZoneChange & { timezone: string; current: string }) {
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
