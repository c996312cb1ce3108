import type { Clock } from "../../../lib/time/clock.ts";
import type { CronLogger } from "../logger.ts";
import { createBatch } from "../runs/batch.ts";
import type { JobStore } from "./job-store.ts";
import type { Scheduler } from "./scheduler.ts";

export interface ScheduleHistoryOptions {
  readonly jobs: JobStore;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly logger: CronLogger;
}

/**
 * Stores since when each job has had its current plan: schedule, time zone and no pause. Earlier ticks cannot be
 * reported as missed, because the schedule at that time is unknown. Also stores the retention of jobs.
 */
export class ScheduleHistory {
  private readonly options: ScheduleHistoryOptions;
  private readonly write: (ids: readonly string[]) => Promise<void>;
  private writing: Promise<unknown> = Promise.resolve();

  constructor(options: ScheduleHistoryOptions) {
    this.options = options;
    this.write = createBatch((lists) => this.writeAll(new Set(lists.flat())));
  }

  /** Records the current plans of these jobs. Unchanged plans keep their start time. */
  record(ids: readonly string[]): Promise<void> {
    // The scheduler is not running yet; `start` records all plans.
    if (this.options.scheduler.startedAt === undefined) return Promise.resolve();
    const written = this.write(ids).catch((error) => {
      this.options.logger.warn("Failed to store job schedule history", { error });
    });
    this.writing = Promise.all([this.writing, written]);
    return written;
  }

  /** Clears the history of jobs that are not registered in this process. */
  async deleteUnregistered(): Promise<void> {
    const { jobs, scheduler } = this.options;
    const rows = await jobs.all();
    const others = rows.filter((row) => row.planned_since !== null && !scheduler.has(row.job_id));
    await jobs.forgetPlanned(others.map(({ job_id }) => job_id));
  }

  /** Resolves when all pending writes have finished. */
  async flush(): Promise<void> {
    await this.writing;
  }

  private async writeAll(ids: ReadonlySet<string>): Promise<void> {
    const { jobs, scheduler, clock } = this.options;
    const now = clock.now();
    const known = new Map((await jobs.all()).map((row) => [row.job_id, row]));
    const changed = [...ids].flatMap((id) => {
      const job = scheduler.wanted(id);
      if (!job) return [];
      const plannedAs = scheduler.planOf(job);
      const row = known.get(id);
      return row?.planned_as === plannedAs && row.planned_since !== null ? [] : [{ id, plannedAs }];
    });
    await jobs.notePlanned(changed, now);
    // Stored, because an instance that does not have the job may delete its runs.
    const retentions = [...ids].flatMap((id) => {
      const retentionMs = scheduler.find(id)?.retentionMs ?? null;
      return retentionMs === (known.get(id)?.retention_ms ?? null) ? [] : [{ id, retentionMs }];
    });
    await jobs.noteRetentions(retentions);
  }
}
