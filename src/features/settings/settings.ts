import type { DroppedData, OwnOption, SettingChange, StoreState } from "../../feature/index.ts";
import type { RootRouter } from "../../http/index.ts";
import type { OptionGroup } from "../../lib/options/option-set.ts";
import type { OptionEntry } from "../../lib/options/show-option.ts";
import type { AlarmClock } from "../../lib/time/clock.ts";
import type { Database, Store } from "../../storage/index.ts";
import type { AuditLog } from "./audit-log.ts";
import { toCurrent } from "./config-entries.ts";
import { Overrides, type SettingsLogger } from "./overrides.ts";
import { mountSettings } from "./routes.ts";
import type { Setting } from "./setting.ts";
import { createSettingStore } from "./setting-store.ts";

export interface SettingsOptions {
  /** Returns the database, opened and migrated with `settingsMigrations`. */
  database(): Promise<Database>;
  readonly clock: AlarmClock;
  readonly logger: SettingsLogger;
  readonly auditLog: AuditLog;
  /** Settings that can be changed at run time. */
  readonly settings: readonly Setting[];
  /** All options as resolved at startup. */
  readonly entries: readonly OptionEntry[];
  readonly groups: readonly OptionGroup[];
  /** All stored data. */
  readonly stores: readonly Store[];
  /** Kinds of data that can be dropped. */
  dropped(): readonly DroppedData[];
  /** What the limits of stores do. */
  storeStates(): readonly (() => Promise<StoreState>)[];
  /** Options that are changed at run time through a route of their feature. */
  ownOptions(): readonly OwnOption[];
  countSessions(): Promise<{ browsers: number; tokens: number }>;
  /** Called after a value was applied in this process. */
  onChange?(change: SettingChange): void;
}

/** The settings feature as used by the application. */
export interface Settings {
  mount(router: RootRouter): void;
  /** Applies stored changes and starts to follow other instances. */
  open(): Promise<void>;
  close(): Promise<void>;
}

export function createSettings(options: SettingsOptions): Settings {
  const { database, clock, logger, auditLog, settings, ownOptions, onChange } = options;
  const overrides = new Overrides({
    store: createSettingStore(database),
    clock,
    settings,
    auditLog,
    logger,
    ...(onChange && { onChange }),
    isShared: async () => (await database()).engine === "postgres",
  });

  async function entries(): Promise<OptionEntry[]> {
    const current = toCurrent(options.entries, overrides.list());
    return Promise.all(
      current.map(async (entry) => {
        const chosen = await ownOptions()
          .find(({ name }) => name === entry.name)
          ?.chosen();
        return chosen === undefined ? entry : { ...entry, value: chosen, source: "run time" as const };
      }),
    );
  }

  return {
    mount: (router) => mountSettings(router, { ...options, overrides, readEntries: entries }),
    open: () => overrides.open(),
    close: () => overrides.close(),
  };
}
