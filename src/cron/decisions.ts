import type { Clock } from "../lib/clock.ts";
import type { JobDefinition } from "./job.ts";
import type { JobStore, Switch } from "./job-store.ts";
import type { CronLogger } from "./runs/runner.ts";
import { parseTimezone, type Timezone } from "./schedule/timezone.ts";
import type { Scheduler } from "./scheduler.ts";
import type { Asked, CronChange } from "./types.ts";

export interface DecisionsOptions {
  readonly jobs: JobStore;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly logger: CronLogger;
  /** Told of what changed, when it has. */
  onChange?(change: CronChange): void;
}

const acts = {
  paused: { on: "pause", off: "resume" },
  removed: { on: "remove", off: "restore" },
} as const;

/** What people decide at run time: which jobs are paused or removed, and the zone. It is kept, and the scheduler obeys. */
export class Decisions {
  private readonly options: DecisionsOptions;
  /** Counts the beginning and the end of each change made here, so that what is read meanwhile does not undo it. */
  private count = 0;

  constructor(options: DecisionsOptions) {
    this.options = options;
  }

  /** Pauses or removes a job, or ends that, in somebody's name. */
  async turn(name: Switch, id: string, isOn: boolean, { actor }: Asked): Promise<void> {
    const { jobs, scheduler, clock, logger } = this.options;
    this.count++;
    const wasOn = name === "paused" ? scheduler.isPaused(id) : scheduler.isRemoved(id);
    await jobs.turn(name, id, isOn ? { at: clock.now(), actor: actor ?? null } : null);
    this.count++;
    scheduler.turn(name, id, isOn);
    logger.info(`Job "${id}" is ${isOn ? name : `no longer ${name}`}`, { job_id: id, actor });
    if (wasOn !== isOn)
      this.options.onChange?.({ kind: acts[name][isOn ? "on" : "off"], subject: id, actor });
  }

  async setTimezone(zone: Timezone, { actor }: Asked): Promise<void> {
    const { jobs, scheduler, logger } = this.options;
    this.count++;
    const before = scheduler.timezone.name;
    await jobs.changeSetting("timezone", zone.name);
    this.count++;
    scheduler.timezone = zone;
    logger.info(`The scheduler's timezone is ${zone.name} now`, { actor });
    const change = { kind: "timezone", subject: "timezone", actor, before, after: zone.name } as const;
    if (before !== zone.name) this.options.onChange?.(change);
  }

  /** Takes over what is kept: from before the start, or from another instance. */
  async read(): Promise<void> {
    const { jobs, scheduler } = this.options;
    const { count } = this;
    const rows = await jobs.all();
    const timezone = await jobs.setting("timezone");
    if (count !== this.count) return;
    const idsOf = (column: "paused_at" | "removed_at") =>
      new Set(rows.filter((row) => row[column] !== null).map(({ job_id }) => job_id));
    scheduler.switch({ paused: idsOf("paused_at"), removed: idsOf("removed_at") });
    if (timezone !== undefined && timezone !== scheduler.timezone.name) this.useStored(timezone);
  }

  /** Brings back the jobs that are registered to be brought back, and tells which others are not there, and why. */
  async apply(registered: readonly JobDefinition[]): Promise<void> {
    const { scheduler, logger } = this.options;
    for (const { id, restore } of registered) {
      if (!scheduler.isRemoved(id)) continue;
      if (restore) await this.turn("removed", id, false, {});
      else logger.info(`Job "${id}" is not run: it was removed, and has not been restored`);
    }
  }

  private useStored(timezone: string): void {
    const { scheduler, logger } = this.options;
    try {
      scheduler.timezone = parseTimezone(timezone);
      logger.info(`The scheduler's timezone is ${timezone}, as was chosen at run time`);
    } catch (error) {
      logger.error("The stored timezone is not known to this Node; the old one stays", { error });
    }
  }
}
