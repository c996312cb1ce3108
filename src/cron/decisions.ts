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
  /** Called after each change. */
  onChange?(change: CronChange): void;
}

const acts = {
  paused: { on: "pause", off: "resume" },
  removed: { on: "remove", off: "restore" },
} as const;

const done = { pause: "Paused", resume: "Resumed", remove: "Removed", restore: "Restored" } as const;

/** Applies and stores changes made at run time: paused and removed jobs, and the time zone. */
export class Decisions {
  private readonly options: DecisionsOptions;
  /** Incremented before and after each local change, so that a concurrent read does not revert it. */
  private count = 0;

  constructor(options: DecisionsOptions) {
    this.options = options;
  }

  /** Pauses, resumes, removes or restores a job on behalf of `actor`. */
  async turn(name: Switch, id: string, isOn: boolean, { actor }: Asked): Promise<void> {
    const { jobs, scheduler, clock, logger } = this.options;
    this.count++;
    const wasOn = name === "paused" ? scheduler.isPaused(id) : scheduler.isRemoved(id);
    await jobs.turn(name, id, isOn ? { at: clock.now(), actor: actor ?? null } : null);
    this.count++;
    scheduler.turn(name, id, isOn);
    const kind = acts[name][isOn ? "on" : "off"];
    logger.info(`${done[kind]} job "${id}"`, { job_id: id, actor });
    if (wasOn !== isOn) this.options.onChange?.({ kind, subject: id, actor });
  }

  async setTimezone(zone: Timezone, { actor }: Asked): Promise<void> {
    const { jobs, scheduler, logger } = this.options;
    this.count++;
    const before = scheduler.timezone.name;
    await jobs.changeSetting("timezone", zone.name);
    this.count++;
    scheduler.timezone = zone;
    logger.info(`Scheduler time zone changed to ${zone.name}`, { actor });
    const change = { kind: "timezone", subject: "timezone", actor, before, after: zone.name } as const;
    if (before !== zone.name) this.options.onChange?.(change);
  }

  /** Applies the stored state, as left by a previous process or changed by another instance. */
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

  /** Restores removed jobs registered with `restore` and logs the jobs that stay removed. */
  async apply(registered: readonly JobDefinition[]): Promise<void> {
    const { scheduler, logger } = this.options;
    for (const { id, restore } of registered) {
      if (!scheduler.isRemoved(id)) continue;
      if (restore) await this.turn("removed", id, false, {});
      else logger.info(`Job "${id}" is disabled: it was removed at run time`);
    }
  }

  private useStored(timezone: string): void {
    const { scheduler, logger } = this.options;
    try {
      scheduler.timezone = parseTimezone(timezone);
      logger.info(`Using stored scheduler time zone ${timezone}`);
    } catch (error) {
      logger.error(`Stored time zone is unknown; keeping ${scheduler.timezone.name}`, { error });
    }
  }
}
