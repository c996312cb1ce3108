import { isDeepStrictEqual } from "node:util";
import type { AlarmClock } from "../lib/clock.ts";
import type { Changes, NewChange } from "./changes.ts";
import { parseValue, type Setting, type SettingValue } from "./setting.ts";
import type { SettingRow, SettingStore } from "./setting-store.ts";

export interface OverridesOptions {
  readonly store: SettingStore;
  readonly clock: AlarmClock;
  readonly settings: readonly Setting[];
  readonly changes: Pick<Changes, "record">;
  readonly logger: SettingsLogger;
  /** Whether other instances work on the same store. */
  isShared(): Promise<boolean>;
}

export interface SettingsLogger {
  info(message: string, data?: object): void;
  warn(message: string, data?: object): void;
}

/** A setting as it stands. */
export interface SettingState {
  readonly setting: Setting;
  readonly value: SettingValue;
  /** What it goes back to when the choice is reverted. */
  readonly initial: SettingValue;
  /** What was chosen at run time, if something was. */
  readonly chosen: Pick<SettingRow, "changed_at" | "changed_by" | "until"> | undefined;
}

interface Override {
  readonly row: SettingRow;
  /** What counted before. */
  readonly initial: SettingValue;
}

/** How often a look is taken at what other instances have chosen. */
const followEveryMs = 3_000;
/** A machine that slept, or whose clock was put forward, would otherwise find out too late that a choice is over. */
const longestWaitMs = 60_000;

/**
 * What was chosen at run time, over what code and environment say. It is kept, and counts on every instance, until it
 * is reverted or its time is over.
 */
export class Overrides {
  private readonly options: OverridesOptions;
  private readonly chosen = new Map<string, Override>();
  /** What is stored and not fit, by name. */
  private readonly refused = new Map<string, string>();
  /** One thing after the other, so that what is read never undoes what is being written. */
  private work: Promise<unknown> = Promise.resolve();
  private isShared = false;
  private isFailing = false;
  private isClosed = false;
  private callOff: (() => void) | undefined;

  constructor(options: OverridesOptions) {
    this.options = options;
  }

  /** Makes count what is kept from before, and begins to look after it. */
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

  /** Chooses a value in somebody's name, for good or for so many minutes. */
  change(
    setting: Setting,
    value: SettingValue,
    { actor, minutes }: { actor?: string | undefined; minutes?: number | undefined } = {},
  ): Promise<SettingState> {
    return this.inTurn(async () => {
      const { name } = setting;
      const before = setting.current();
      const changed_at = this.options.clock.now();
      const until = minutes === undefined ? null : changed_at + minutes * 60_000;
      const row = { name, value: JSON.stringify(value), changed_at, changed_by: actor ?? null, until };
      await this.options.store.put(row);
      this.put(setting, value, row);
      const detail =
        minutes === undefined ? undefined : `for ${minutes} ${minutes === 1 ? "minute" : "minutes"}`;
      this.options.changes.record({ kind: "setting", subject: name, actor, before, after: value, detail });
      this.options.logger.info(`The setting ${name} has been changed`, {
        before,
        after: value,
        until,
        actor,
      });
      this.wait();
      return this.stateOf(setting);
    });
  }

  /** Goes back to what code and environment say. Without a choice there is nothing to do. */
  revert(setting: Setting, { actor }: { actor?: string | undefined } = {}): Promise<SettingState> {
    return this.inTurn(async () => {
      const before = setting.current();
      const wasChosen = await this.options.store.remove(setting.name);
      this.restore(setting);
      if (wasChosen) this.tellReverted(setting, { before, actor });
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

  /** Comes back when a choice is over, or when it is time to look what other instances chose. */
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
      // It is tried again in a moment, so it is said once.
      if (!this.isFailing) this.options.logger.warn("The settings cannot be read at the moment", { error });
      this.isFailing = true;
    }
    // A choice that is over and cannot be ended in the store would otherwise be tried without a pause.
    if (this.isFailing && !this.isClosed)
      this.callOff = this.options.clock.after(followEveryMs, () => void this.look());
    else this.wait();
  }

  /** Takes over what is kept: from before the start, or from another instance. */
  private async follow(): Promise<void> {
    this.leaveWhatIsOver();
    const rows = new Map((await this.options.store.all()).map((row) => [row.name, row]));
    for (const setting of this.options.settings) await this.take(setting, rows.get(setting.name));
  }

  /** Also when the store cannot be reached; it is told when it can again. */
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
      this.options.logger.info(`The setting ${row.name} is ${row.value}, as was chosen at run time`);
    } catch (error) {
      this.refuse(row, error as Error);
    }
  }

  /** A newer release may have written it. It is looked at again and again, and said once. */
  private refuse({ name, value }: SettingRow, { message }: Error): void {
    if (this.refused.get(name) === value) return;
    this.refused.set(name, value);
    this.options.logger.warn(`What is stored of the setting ${name} does not count: it is not ${message}`);
  }

  /** The time of a choice is over. Every instance notices, and the one that ends it in the store tells. */
  private async end(setting: Setting, row: SettingRow): Promise<void> {
    this.restore(setting);
    const told = { before: readJson(row.value), detail: "its time was over" };
    if (await this.options.store.end(row)) this.tellReverted(setting, told);
  }

  private put(setting: Setting, value: SettingValue, row: SettingRow): void {
    const initial = this.chosen.get(setting.name)?.initial ?? setting.current();
    this.chosen.set(setting.name, { row, initial });
    setting.apply(value);
  }

  private restore(setting: Setting): void {
    const override = this.chosen.get(setting.name);
    if (!override) return;
    this.chosen.delete(setting.name);
    setting.apply(override.initial);
  }

  private tellReverted(
    setting: Setting,
    { before, actor, detail }: Pick<NewChange, "before" | "actor" | "detail">,
  ): void {
    const { changes, logger } = this.options;
    const after = setting.current();
    changes.record({ kind: "revert", subject: setting.name, actor, before, after, detail });
    logger.info(`The setting ${setting.name} has gone back`, { before, after, actor });
  }
}

/** What a newer release has stored may be anything. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
