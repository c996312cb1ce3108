import { isDeepStrictEqual } from "node:util";
import type { SettingChange } from "../../feature/index.ts";
import type { AlarmClock } from "../../lib/time/clock.ts";
import { minuteMs } from "../../lib/time/units.ts";
import type { AuditLog, NewChange } from "./audit-log.ts";
import { parseValue, type Setting, type SettingValue } from "./setting.ts";
import type { SettingRow, SettingStore } from "./setting-store.ts";

export interface OverridesOptions {
  readonly store: SettingStore;
  readonly clock: AlarmClock;
  readonly settings: readonly Setting[];
  readonly auditLog: Pick<AuditLog, "record">;
  readonly logger: SettingsLogger;
  /** Whether other instances use the same store. */
  isShared(): Promise<boolean>;
  /** Called after a value was applied. */
  onChange?(change: SettingChange): void;
}

export interface SettingsLogger {
  info(message: string, data?: object): void;
  warn(message: string, data?: object): void;
}

/** Current state of a setting. */
export interface SettingState {
  readonly setting: Setting;
  readonly value: SettingValue;
  /** The value that applies after a revert. */
  readonly initial: SettingValue;
  /** The stored run-time change, if there is one. */
  readonly chosen: Pick<SettingRow, "changed_at" | "changed_by" | "until"> | undefined;
}

interface Override {
  readonly row: SettingRow;
  /** The value before the first change. */
  readonly initial: SettingValue;
}

/** Interval for reading changes made by other instances. */
const followEveryMs = 3_000;
/** Upper limit for timers, so that expired changes are detected soon after system sleep or a clock change. */
const longestWaitMs = minuteMs;

/**
 * Run-time changes that override code and environment. They are stored and apply to all instances until they are
 * reverted or expire.
 */
export class Overrides {
  private readonly options: OverridesOptions;
  private readonly chosen = new Map<string, Override>();
  /** Invalid stored values by setting name. */
  private readonly refused = new Map<string, string>();
  /** Serializes all operations, so that a read does not revert a write in progress. */
  private work: Promise<unknown> = Promise.resolve();
  private isShared = false;
  private isFailing = false;
  private isClosed = false;
  private callOff: (() => void) | undefined;

  constructor(options: OverridesOptions) {
    this.options = options;
  }

  /** Applies stored changes and starts to follow other instances. */
  async open(): Promise<void> {
    this.isShared = await this.options.isShared();
    await this.inTurn(() => this.follow());
    this.wait();
  }

  list(): SettingState[] {
    return this.options.settings.map((setting) => this.stateOf(setting));
  }

  find(name: string): Setting | undefined {
    return this.options.settings.find((setting) => setting.name === name);
  }

  /** Changes a setting on behalf of `actor`, permanently or for `minutes`. */
  change(
    setting: Setting,
    value: SettingValue,
    { actor, minutes }: { actor?: string | undefined; minutes?: number | undefined } = {},
  ): Promise<SettingState> {
    return this.inTurn(async () => {
      const { name } = setting;
      const before = setting.current();
      const changed_at = this.options.clock.now();
      const until = minutes === undefined ? null : changed_at + minutes * minuteMs;
      const row = { name, value: JSON.stringify(value), changed_at, changed_by: actor ?? null, until };
      await this.options.store.put(row);
      this.put(setting, value, row);
      const detail =
        minutes === undefined ? undefined : `for ${minutes} ${minutes === 1 ? "minute" : "minutes"}`;
      this.options.auditLog.record({ kind: "setting", subject: name, actor, before, after: value, detail });
      this.options.logger.info(`Setting ${name} changed`, {
        before,
        after: value,
        until,
        actor,
      });
      this.wait();
      return this.stateOf(setting);
    });
  }

  /** Reverts a setting to the value from code and environment. Does nothing if it was not changed. */
  revert(setting: Setting, { actor }: { actor?: string | undefined } = {}): Promise<SettingState> {
    return this.inTurn(async () => {
      const before = setting.current();
      const wasChosen = await this.options.store.remove(setting.name);
      this.restore(setting);
      if (wasChosen) this.reportReverted(setting, { before, actor });
      return this.stateOf(setting);
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.callOff?.();
    await this.work;
  }

  private stateOf(setting: Setting): SettingState {
    const override = this.chosen.get(setting.name);
    const value = setting.current();
    return { setting, value, initial: override ? override.initial : value, chosen: override?.row };
  }

  private inTurn<T>(task: () => Promise<T>): Promise<T> {
    const done = this.work.then(task);
    this.work = done.catch(() => {});
    return done;
  }

  /** Schedules the next check: when a change expires, or when changes by other instances are due to be read. */
  private wait(): void {
    this.callOff?.();
    if (this.isClosed) return;
    const now = this.options.clock.now();
    const ends = [...this.chosen.values()].flatMap(({ row: { until } }) =>
      until === null ? [] : [until - now],
    );
    if (!this.isShared && ends.length === 0) return;
    const delay = Math.min(...ends, this.isShared ? followEveryMs : longestWaitMs);
    this.callOff = this.options.clock.after(Math.max(0, delay), () => void this.look());
  }

  private async look(): Promise<void> {
    try {
      await this.inTurn(() => this.follow());
      this.isFailing = false;
    } catch (error) {
      // Logged once per outage, because the read is retried soon.
      if (!this.isFailing) this.options.logger.warn("Failed to read settings", { error });
      this.isFailing = true;
    }
    // Prevents a tight loop while an expired change cannot be removed from the store.
    if (this.isFailing && !this.isClosed)
      this.callOff = this.options.clock.after(followEveryMs, () => void this.look());
    else this.wait();
  }

  /** Applies stored changes, from before the start or from other instances. */
  private async follow(): Promise<void> {
    this.leaveWhatIsOver();
    const rows = new Map((await this.options.store.all()).map((row) => [row.name, row]));
    for (const setting of this.options.settings) await this.take(setting, rows.get(setting.name));
  }

  /** Reverts expired changes even while the store is unreachable. They are removed from the store later. */
  private leaveWhatIsOver(): void {
    for (const setting of this.options.settings) {
      const row = this.chosen.get(setting.name)?.row;
      if (row && this.isOver(row)) this.restore(setting);
    }
  }

  private isOver({ until }: SettingRow): boolean {
    return until !== null && until <= this.options.clock.now();
  }

  private async take(setting: Setting, row: SettingRow | undefined): Promise<void> {
    if (row === undefined) return this.restore(setting);
    if (this.isOver(row)) return this.end(setting, row);
    if (isDeepStrictEqual(this.chosen.get(setting.name)?.row, row)) return;
    try {
      this.put(setting, parseValue(setting, readJson(row.value)), row);
      this.options.logger.info(`Using stored value ${row.value} for setting ${row.name}`);
    } catch (error) {
      this.refuse(row, error as Error);
    }
  }

  /** The value may come from a newer release. It is checked repeatedly but logged once. */
  private refuse({ name, value }: SettingRow, { message }: Error): void {
    if (this.refused.get(name) === value) return;
    this.refused.set(name, value);
    this.options.logger.warn(`Ignoring invalid stored value of setting ${name}: expected ${message}`);
  }

  /** Handles an expired change. All instances revert it; the one that removes it from the store records the revert. */
  private async end(setting: Setting, row: SettingRow): Promise<void> {
    this.restore(setting);
    const details = { before: readJson(row.value), detail: "expired" };
    if (await this.options.store.end(row)) this.reportReverted(setting, details);
  }

  private put(setting: Setting, value: SettingValue, row: SettingRow): void {
    const initial = this.chosen.get(setting.name)?.initial ?? setting.current();
    this.chosen.set(setting.name, { row, initial });
    this.apply(setting, value);
  }

  private apply(setting: Setting, value: SettingValue): void {
    setting.apply(value);
    this.options.onChange?.({ name: setting.name, value });
  }

  private restore(setting: Setting): void {
    const override = this.chosen.get(setting.name);
    if (!override) return;
    this.chosen.delete(setting.name);
    this.apply(setting, override.initial);
  }

  private reportReverted(
    setting: Setting,
    { before, actor, detail }: Pick<NewChange, "before" | "actor" | "detail">,
  ): void {
    const { auditLog, logger } = this.options;
    const after = setting.current();
    auditLog.record({ kind: "revert", subject: setting.name, actor, before, after, detail });
    logger.info(`Setting ${setting.name} reverted`, { before, after, actor });
  }
}

/** Values stored by a newer release may be invalid JSON. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
