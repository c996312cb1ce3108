import type { RootRouter } from "../http/index.ts";
import type { AlarmClock } from "../lib/clock.ts";
import type { Database } from "../storage/index.ts";
import type { Changes } from "./changes.ts";
import { type ConfigEntry, toCurrent } from "./config-entries.ts";
import { Overrides, type SettingsLogger } from "./overrides.ts";
import { mountSettings } from "./routes.ts";
import type { Setting } from "./setting.ts";
import { createSettingStore } from "./setting-store.ts";

export interface SettingsOptions {
  /** Returns the database, opened and migrated with `settingsMigrations`. */
  database(): Promise<Database>;
  readonly clock: AlarmClock;
  readonly logger: SettingsLogger;
  readonly changes: Changes;
  /** Settings that can be changed at run time. */
  readonly settings: readonly Setting[];
  /** All options as resolved at startup. */
  readonly entries: readonly ConfigEntry[];
  /** Options that are changed at run time through another feature, by name. */
  readonly elsewhere: Readonly<Record<string, ElsewhereOption>>;
  countSessions(): Promise<{ browsers: number; tokens: number }>;
}

export interface ElsewhereOption {
  /** Value set at run time; `undefined` if none was set. */
  chosen(): Promise<unknown>;
  /** End of the error message, such as "send it to …". */
  readonly remedy: string;
}

/** The settings feature as used by the application. */
export interface Settings {
  mount(router: RootRouter): void;
  /** Applies stored changes and starts to follow other instances. */
  open(): Promise<void>;
  close(): Promise<void>;
}

export function createSettings(options: SettingsOptions): Settings {
  const { database, clock, logger, changes, settings, elsewhere } = options;
  const overrides = new Overrides({
    store: createSettingStore(database),
    clock,
    settings,
    changes,
    logger,
    isShared: async () => (await database()).engine === "postgres",
  });

  async function entries(): Promise<ConfigEntry[]> {
    const current = toCurrent(options.entries, overrides.list());
    return Promise.all(
      current.map(async (entry) => {
        const chosen = Object.hasOwn(elsewhere, entry.name)
          ? await elsewhere[entry.name]!.chosen()
          : undefined;
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
