import type { Clock } from "../lib/clock.ts";
import type { JobStore } from "./job-store.ts";
import { createBatch } from "./runs/batch.ts";
import type { CronLogger } from "./runs/runner.ts";
import type { Scheduler } from "./scheduler.ts";

export interface PlanNotesOptions {
  readonly jobs: JobStore;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly logger: CronLogger;
}

/**
 * Keeps since when each job has been planned as it is now: by this schedule, in this zone, without a pause. A tick
 * before that cannot be said to have been missed, since nobody knows whether it was one.
 */
export class PlanNotes {
  private readonly options: PlanNotesOptions;
  private readonly write: (ids: readonly string[]) => Promise<void>;
  private writing: Promise<unknown> = Promise.resolve();

  constructor(options: PlanNotesOptions) {
    this.options = options;
    this.write = createBatch((lists) => this.writeAll(new Set(lists.flat())));
  }

  /** Notes how these jobs are planned from now on; nothing changes for those that are planned as before. */
  note(ids: readonly string[]): Promise<void> {
    // Before the start nobody looks after the schedules; the start notes them all.
    if (this.options.scheduler.startedAt === undefined) return Promise.resolve();
    const written = this.write(ids).catch((error) => {
      this.options.logger.warn("Since when jobs are planned could not be written to the store", { error });
    });
    this.writing = Promise.all([this.writing, written]);
    return written;
  }

  /** Forgets it of all jobs that this program does not have. */
  async forgetOthers(): Promise<void> {
    const { jobs, scheduler } = this.options;
    const rows = await jobs.all();
    const others = rows.filter((row) => row.planned_since !== null && !scheduler.has(row.job_id));
    await jobs.forgetPlanned(others.map(({ job_id }) => job_id));
  }

  /** Resolves when nothing is being written any more. */
  async settle(): Promise<void> {
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
  }
}
