import type { JobChange } from "../../../feature/index.ts";
import type { Clock } from "../../../lib/time/clock.ts";
import type { CronLogger } from "../logger.ts";
import { parseTimezone, type Timezone } from "../planning/timezone.ts";
import type { SchedulerSettings } from "../scheduler-settings.ts";
import type { JobDefinition } from "./job.ts";
import type { ActorOptions } from "./job-manager.ts";
import type { JobStore, Switch } from "./job-store.ts";
import type { Scheduler } from "./scheduler.ts";

export interface JobStateOptions {
  readonly jobs: JobStore;
  readonly settings: SchedulerSettings;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly logger: CronLogger;
  /** Called after each change. */
  onChange?(change: JobChange): void;
}

const actions = {
  paused: { on: "pause", off: "resume" },
  removed: { on: "remove", off: "restore" },
} as const;

const done = { pause: "Paused", resume: "Resumed", remove: "Removed", restore: "Restored" } as const;

/** Applies and stores changes made at run time: paused and removed jobs, and the time zone. */
export class JobState {
  private readonly options: JobStateOptions;
  /** Incremented before and after each local change, so that a concurrent read does not revert it. */
  private count = 0;
  /** The stored state that was applied last, as in `FleetStatus`. */
  private applied: string | undefined;
  /** A stored time zone that was refused, so that it is logged once and not at each read. */
  private refusedTimezone: string | undefined;

  constructor(options: JobStateOptions) {
    this.options = options;
  }

  /** Pauses, resumes, removes or restores a job on behalf of `actor`. */
  async setSwitch(name: Switch, id: string, isOn: boolean, { actor }: ActorOptions): Promise<void> {
    const { jobs, scheduler, clock, logger } = this.options;
    this.count++;
    const wasOn = name === "paused" ? scheduler.isPaused(id) : scheduler.isRemoved(id);
    await jobs.turn(name, id, isOn ? { at: clock.now(), actor: actor ?? null } : null);
    this.count++;
    this.applied = undefined;
    scheduler.turn(name, id, isOn);
    const kind = actions[name][isOn ? "on" : "off"];
    logger.info(`${done[kind]} job "${id}"`, { job_id: id, actor });
    if (wasOn !== isOn) this.options.onChange?.({ kind, subject: id, actor });
  }

  async setTimezone(zone: Timezone, { actor }: ActorOptions): Promise<void> {
    const { settings, scheduler, logger } = this.options;
    this.count++;
    const before = scheduler.timezone.name;
    await settings.set("timezone", zone.name);
    this.count++;
    this.applied = undefined;
    scheduler.timezone = zone;
    logger.info(`Scheduler time zone changed to ${zone.name}`, { actor });
    const change = { kind: "timezone", subject: "timezone", actor, before, after: zone.name } as const;
    if (before !== zone.name) this.options.onChange?.(change);
  }

  /** Applies the stored state unless it is the one that was applied last. */
  async loadChanges(changes: string): Promise<void> {
    // A change after `changes` was read is seen again in the next round.
    if (changes !== this.applied && (await this.load())) this.applied = changes;
  }

  /**
   * Applies the stored state, as left by a previous process or changed by another instance. Returns whether it did: not
   * if this instance changed something meanwhile.
   */
  async load(): Promise<boolean> {
    const { jobs, settings, scheduler } = this.options;
    const { count } = this;
    const rows = await jobs.switched();
    const timezone = await settings.get("timezone");
    if (count !== this.count) return false;
    const idsOf = (column: "paused_at" | "removed_at") =>
      new Set(rows.filter((row) => row[column] !== null).map(({ job_id }) => job_id));
    scheduler.switch({ paused: idsOf("paused_at"), removed: idsOf("removed_at") });
    if (timezone !== undefined && timezone !== scheduler.timezone.name) this.useStored(timezone);
    return true;
  }

  /** Restores removed jobs registered with `restore` and logs the jobs that stay removed. */
  async applyTo(registered: readonly JobDefinition[]): Promise<void> {
    const { scheduler, logger } = this.options;
    for (const { id, restore } of registered) {
      if (!scheduler.isRemoved(id)) continue;
      if (restore) await this.setSwitch("removed", id, false, {});
      else logger.info(`Job "${id}" is disabled: it was removed at run time`);
    }
  }

  private useStored(timezone: string): void {
    const { scheduler, logger } = this.options;
    try {
      scheduler.timezone = parseTimezone(timezone);
      logger.info(`Using stored scheduler time zone ${timezone}`);
    } catch (error) {
      if (timezone === this.refusedTimezone) return;
      this.refusedTimezone = timezone;
      logger.error(`Stored time zone is unknown; keeping ${scheduler.timezone.name}`, { error });
    }
  }
}
