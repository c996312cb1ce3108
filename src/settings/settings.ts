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
  /** Gives the database, opened and migrated with `settingsMigrations`. */
  database(): Promise<Database>;
  readonly clock: AlarmClock;
  readonly logger: SettingsLogger;
  readonly changes: Changes;
  /** What can be changed at run time. */
  readonly settings: readonly Setting[];
  /** Every option as it was resolved at the start. */
  readonly entries: readonly ConfigEntry[];
  /** Options that another part changes at run time, by name: their value, if it has one of its own, and how to change it. */
  readonly elsewhere: Readonly<Record<string, ElsewhereOption>>;
  countSessions(): Promise<{ browsers: number; tokens: number }>;
}

export interface ElsewhereOption {
  /** What was chosen at run time; `undefined` when nothing was. */
  chosen(): Promise<unknown>;
  /** The end of a sentence: "send it to …". */
  readonly remedy: string;
}

/** The feature as the application holds it. */
export interface Settings {
  mount(router: RootRouter): void;
  /** Makes count what was chosen at run time, and begins to follow other instances. */
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
