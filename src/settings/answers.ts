import type { DatabaseSize, Engine } from "../storage/index.ts";
import type { SettingState } from "./overrides.ts";

/** Converts a setting to its API response. */
export function toSettingAnswer({ setting, value, initial, chosen }: SettingState) {
  const { name, meaning, kind } = setting;
  return {
    name,
    meaning,
    ...kind,
    value,
    initial,
    changed_at: chosen?.changed_at ?? null,
    changed_by: chosen?.changed_by ?? null,
    until: chosen?.until ?? null,
  };
}

export function toSessionsAnswer({ browsers, tokens }: { browsers: number; tokens: number }) {
  return { count: browsers, tokens };
}

export function toStorageAnswer(engine: Engine, { bytes, parts }: DatabaseSize) {
  return { engine, bytes, parts };
}
