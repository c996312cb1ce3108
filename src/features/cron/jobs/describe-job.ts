import { defined } from "../../../lib/defined.ts";
import type { WaitingTicks } from "../limits/backlog.ts";
import type { JobDefinition } from "./job.ts";
import type { Job } from "./job-manager.ts";
import type { JobRow } from "./job-store.ts";
import type { Scheduler } from "./scheduler.ts";

/** A job as the program and the API see it: its definition, its state and its last run. */
export function describeJob(
  job: JobDefinition,
  row: JobRow | undefined,
  { scheduler, backlog }: { readonly scheduler: Scheduler; readonly backlog: WaitingTicks },
): Job {
  return defined({
    id: job.id,
    name: job.name,
    description: job.description,
    schedule: job.schedule.expression,
    isSystem: job.isSystem,
    isPaused: scheduler.isPaused(job.id),
    isRemoved: scheduler.isRemoved(job.id),
    timezone: scheduler.zoneOf(job).name,
    overlap: job.overlap,
    catchUp: job.catchUp,
    retries: job.retries.count,
    onInterrupt: job.onInterrupt,
    group: job.group,
    waiting: backlog.countOf(job.id) || undefined,
    timeoutMs: job.timeoutMs,
    nextRun: toDate(scheduler.nextOf(job.id)),
    pausedAt: toDate(row?.paused_at),
    pausedBy: row?.paused_by ?? undefined,
    removedAt: toDate(row?.removed_at),
    removedBy: row?.removed_by ?? undefined,
    lastRun: toDate(row?.last_run),
    lastStatus: row?.last_status ?? undefined,
  });
}

function toDate(time: number | null | undefined): Date | undefined {
  return time == null ? undefined : new Date(time);
}
