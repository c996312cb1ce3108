import type { AlarmClock } from "../../../lib/time/clock.ts";
import { hourMs } from "../../../lib/time/units.ts";
import type { CronLogger } from "../logger.ts";
import { createBatch } from "../runs/batch.ts";
import type { JobStore } from "./job-store.ts";
import type { Scheduler } from "./scheduler.ts";

export interface ScheduleHistoryOptions {
  readonly jobs: JobStore;
  readonly scheduler: Scheduler;
  readonly clock: AlarmClock;
  readonly logger: CronLogger;
  /** The number of instances that run jobs. */
  instanceCount(): number;
}

/** Several times in the shortest period after which an unregistered job is forgotten. */
const recordMs = 6 * hourMs;

/**
 * Stores since when each job has had its current plan: schedule, time zone and no pause. Earlier ticks cannot be
 * reported as missed, because the schedule at that time is unknown. Also stores the retention of jobs, and that this
 * instance has them.
 */
export class ScheduleHistory {
  private readonly options: ScheduleHistoryOptions;
  private readonly write: (ids: readonly string[]) => Promise<void>;
  private writing: Promise<unknown> = Promise.resolve();
  private cancelTimer: (() => void) | undefined;

  constructor(options: ScheduleHistoryOptions) {
    this.options = options;
    this.write = createBatch((lists) => this.writeAll(new Set(lists.flat())));
  }

  /** Records the plans of all jobs, and from time to time that they are still registered. */
  async start(): Promise<void> {
    const { clock, scheduler } = this.options;
    this.cancelTimer?.();
    this.cancelTimer = clock.after(recordMs, () => void this.start());
    await this.record(scheduler.all().map(({ id }) => id));
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
  async stop(): Promise<void> {
    this.cancelTimer?.();
    await this.writing;
  }

  private async writeAll(ids: ReadonlySet<string>): Promise<void> {
    const { jobs, scheduler, clock } = this.options;
    const now = clock.now();
    const known = await jobs.of([...ids]);
    const changed = [...ids].flatMap((id) => {
      const job = scheduler.wanted(id);
      if (!job) return [];
      const plannedAs = scheduler.planOf(job);
      const row = known.get(id);
      return row?.planned_as === plannedAs && row.planned_since !== null ? [] : [{ id, plannedAs }];
    });
    await jobs.notePlanned(changed, now);
    const isNoted = new Set(changed.map(({ id }) => id));
    const isDue = (id: string) => {
      const { registered_at = Number.POSITIVE_INFINITY } = known.get(id) ?? {};
      return !isNoted.has(id) && scheduler.has(id) && registered_at <= now - recordMs / 2;
    };
    await jobs.noteRegistered([...ids].filter(isDue), now);
    // Other instances may still have a job that was unregistered here.
    if (this.options.instanceCount() < 2)
      await jobs.forgetPlanned(
        [...ids].filter((id) => !scheduler.has(id) && known.get(id)?.planned_since != null),
      );
    // Stored, because an instance that does not have the job may delete its runs.
    const retentions = [...ids].flatMap((id) => {
      if (!scheduler.has(id)) return [];
      const retentionMs = scheduler.find(id)?.retentionMs ?? null;
      return retentionMs === (known.get(id)?.retention_ms ?? null) ? [] : [{ id, retentionMs }];
    });
    await jobs.noteRetentions(retentions);
  }
}
