/**
 * The effective configuration with the source of each value, settings that can be changed at run time, and the audit
 * log. Changes made at run time are stored, apply to all instances and override code and environment until they are
 * reverted.
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
