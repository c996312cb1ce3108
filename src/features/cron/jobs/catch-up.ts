import type { Clock } from "../../../lib/time/clock.ts";
import type { RunRequest } from "../runs/run-request.ts";
import type { JobDefinition } from "./job.ts";
import type { JobStore } from "./job-store.ts";
import type { Scheduler } from "./scheduler.ts";

export interface CatchUpOptions {
  readonly jobs: JobStore;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly runsJobs: boolean;
  runTicks(requests: RunRequest[]): Promise<void>;
}

/** Runs the last tick that each job with `catchUp: "once"` missed before this instance started. */
export class CatchUp {
  /** Time until which ticks had been processed by some instance before this one started. */
  aliveUntil: number | undefined;
  private readonly options: CatchUpOptions;

  constructor(options: CatchUpOptions) {
    this.options = options;
  }

  /** Stores that these jobs are known. Ticks before that were not missed. */
  async note(registered: readonly JobDefinition[]): Promise<void> {
    const { jobs, clock } = this.options;
    const catching = registered.filter(catchesUp).map(({ id }) => id);
    if (catching.length > 0) await jobs.noteKnown(catching, clock.now());
  }

  async run(registered: readonly JobDefinition[]): Promise<void> {
    const { aliveUntil } = this;
    const { jobs, scheduler, runsJobs, runTicks } = this.options;
    const { startedAt } = scheduler;
    if (!runsJobs || aliveUntil === undefined || startedAt === undefined) return;
    const catching = registered.filter(catchesUp);
    if (catching.length === 0) return;
    const knownSince = await jobs.knownSince();
    const missed = catching.flatMap((job) => {
      const since = Math.max(knownSince.get(job.id) ?? startedAt, aliveUntil);
      return scheduler.missedBetween(job, since, startedAt);
    });
    if (missed.length > 0) await runTicks(missed);
  }
}

const catchesUp = ({ catchUp }: JobDefinition) => catchUp === "once";
