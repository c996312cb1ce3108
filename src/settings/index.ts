/**
 * The configuration as it counts, with where each value comes from; what of it can be changed while the program runs;
 * and the record of who did what when. What is chosen at run time is kept, counts on every instance, and wins over code
 * and environment until it is reverted.
 *
 * ```ts
 * const changes = createChanges({ database, clock: systemClock, instance: "web-1", logger });
 * const settings = createSettings({ database, clock: systemClock, logger, changes, settings: [logLevel], ...sources });
 * settings.mount(router);
 * await settings.open();
 * changes.record({ kind: "start", subject: "application", after: "1.0.0" });
 * ```
 */
export { type Change, type ChangeKind, type Changes, createChanges, type NewChange } from "./changes.ts";
export type { ConfigEntry, ConfigSource } from "./config-entries.ts";
export type { Setting, SettingKind, SettingValue } from "./setting.ts";
export { createSettings, type Settings, type SettingsOptions } from "./settings.ts";
export { settingsMigrations } from "./tables.ts";
