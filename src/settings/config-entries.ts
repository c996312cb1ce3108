import { isDeepStrictEqual } from "node:util";
import type { SettingState } from "./overrides.ts";

/** Where a value comes from. */
export type ConfigSource = "default" | "environment" | "code" | "run time";

/** One option with the value that counts, fit to be shown: secrets are covered, and what is no data is a word. */
export interface ConfigEntry {
  /** As in code: "log.retentionHours". */
  readonly name: string;
  readonly group: string;
  readonly value: unknown;
  readonly source: ConfigSource;
  /** The environment variable that can set it, if one can. */
  readonly variable?: string;
  readonly default: unknown;
}

/** The entries of the start, with what counts now. */
export function toCurrent(entries: readonly ConfigEntry[], states: readonly SettingState[]): ConfigEntry[] {
  const byName = new Map(states.map((state) => [state.setting.name, state]));
  return entries.map((entry) => {
    const state = byName.get(entry.name);
    if (!state) return entry;
    return { ...entry, value: state.value, source: sourceOf(entry, state) };
  });
}

/** What differs although nobody chose it at run time was set by the program, as with `app.logger.level = …`. */
function sourceOf(entry: ConfigEntry, { value, chosen }: SettingState): ConfigSource {
  if (chosen) return "run time";
  return isDeepStrictEqual(value, entry.value) ? entry.source : "code";
}
