import { isDeepStrictEqual } from "node:util";
import type { SettingState } from "./overrides.ts";

/** Where a value comes from. */
export type ConfigSource = "default" | "environment" | "code" | "run time";

/**
 * An option with its effective value, ready for display: secrets are redacted, and values that are not data are
 * described by a word.
 */
export interface ConfigEntry {
  /** Name as in code: "log.retentionHours". */
  readonly name: string;
  readonly group: string;
  readonly value: unknown;
  readonly source: ConfigSource;
  /** The environment variable for the option, if there is one. */
  readonly variable?: string;
  readonly default: unknown;
}

/** Combines the entries from startup with the current values. */
export function toCurrent(entries: readonly ConfigEntry[], states: readonly SettingState[]): ConfigEntry[] {
  const byName = new Map(states.map((state) => [state.setting.name, state]));
  return entries.map((entry) => {
    const state = byName.get(entry.name);
    if (!state) return entry;
    return { ...entry, value: state.value, source: sourceOf(entry, state) };
  });
}

/** A value that differs without a stored change was set by code, such as `app.logger.level = …`. */
function sourceOf(entry: ConfigEntry, { value, chosen }: SettingState): ConfigSource {
  if (chosen) return "run time";
  return isDeepStrictEqual(value, entry.value) ? entry.source : "code";
}
