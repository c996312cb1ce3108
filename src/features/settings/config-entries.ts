import { isDeepStrictEqual } from "node:util";
import type { OptionEntry, OptionSource } from "../../lib/options/show-option.ts";
import type { SettingState } from "./overrides.ts";

/** Combines the entries from startup with the current values. */
export function toCurrent(entries: readonly OptionEntry[], states: readonly SettingState[]): OptionEntry[] {
  const byName = new Map(states.map((state) => [state.setting.name, state]));
  return entries.map((entry) => {
    const state = byName.get(entry.name);
    if (!state) return entry;
    return { ...entry, value: state.value, source: sourceOf(entry, state) };
  });
}

/** A value that differs without a stored change was set by code, such as `app.logger.level = …`. */
function sourceOf(entry: OptionEntry, { value, chosen }: SettingState): OptionSource {
  if (chosen) return "run time";
  return isDeepStrictEqual(value, entry.value) ? entry.source : "code";
}
