import type { Clock } from "../../../lib/time/clock.ts";
import type { JobDefinition } from "../jobs/job.ts";
import type { JobRow } from "../jobs/job-store.ts";
import type { Manager } from "../jobs/manager.ts";
import { tickName } from "../tick-name.ts";
import type { KnownPlan, PlannedTick } from "./timeline.ts";

/** A run that has just become due may not be stored yet. */
const graceMs = 120_000;
const ticksPerStatement = 500;

/** The ticks of active jobs: which are planned, and which were run. */
export class JobTicks {
  private readonly manager: Manager;
  private readonly clock: Clock;

  constructor(manager: Manager, clock: Clock) {
    this.manager = manager;
    this.clock = clock;
  }

  activeJobs(): JobDefinition[] {
    const { scheduler } = this.manager;
    return scheduler.jobs().filter(({ id }) => !scheduler.isPaused(id));
  }

  planned() {
    return this.activeJobs().map((job) => this.toPlanned(job));
  }

  /** Active jobs, each with the period for which the outcome of every tick is known. */
  async knownPlans(from: number, to: number): Promise<KnownPlan[]> {
    const { jobs, history, settings, mover } = await this.manager.open();
    const rows = await jobs.of(this.activeJobs().map(({ id }) => id));
    const running = Map.groupBy(await history.inProgress(), ({ jobId }) => jobId);
    // Runs that ended before the first one in the log have been deleted.
    const known = mover.isMoving ? undefined : await settings.get("pruned_until");
    const prunedUntil = Number(known ?? (await history.oldestEnd()) ?? 0);
    return this.activeJobs().flatMap((job) => {
      const since = plannedSince(rows.get(job.id), this.manager.scheduler.planOf(job));
      if (since === undefined) return [];
      const mayWait = job.overlap === "queue" || job.catchUp === "once";
      const busySince = (running.get(job.id) ?? []).map(({ scheduledAt }) => scheduledAt - 1);
      const waitingSince = this.manager.waitingSince(job, rows.get(job.id)?.last_run) - 1;
      const until = Math.min(to - 1, this.clock.now() - graceMs, waitingSince, ...(mayWait ? busySince : []));
      const forgotten = job.retentionMs === undefined ? prunedUntil : this.clock.now() - job.retentionMs;
      return [{ ...this.toPlanned(job), after: Math.max(from - 1, since, forgotten), until }];
    });
  }

  async haveRun(ticks: readonly PlannedTick[]): Promise<Set<PlannedTick>> {
    const { runs } = await this.manager.open();
    const done = new Set<PlannedTick>();
    for (let start = 0; start < ticks.length; start += ticksPerStatement) {
      const some = ticks.slice(start, start + ticksPerStatement);
      const found = await runs.findTicks(some.map(({ jobId, time }) => tickName(jobId, time)));
      for (const tick of some) if (found.has(tickName(tick.jobId, tick.time))) done.add(tick);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return done;
  }

  private toPlanned(job: JobDefinition) {
    const { id, schedule, overlap } = job;
    return { id, schedule, overlap, zone: this.manager.scheduler.zoneOf(job) };
  }
}

function plannedSince(row: JobRow | undefined, plan: string): number | undefined {
  return row?.planned_as === plan ? (row.planned_since ?? undefined) : undefined;
}
