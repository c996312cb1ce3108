import type { DatabaseSize, Engine } from "../../storage/index.ts";
import type { SettingState } from "./overrides.ts";
import type * as wire from "./wire.ts";

/** Converts a setting to its API response. */
export function toSettingResponse({ setting, value, initial, chosen }: SettingState): wire.Setting {
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

export function toSessionsResponse({
  browsers,
  tokens,
}: {
  browsers: number;
  tokens: number;
}): wire.Sessions {
  return { count: browsers, tokens };
}

export function toStorageResponse(engine: Engine, { bytes, parts }: DatabaseSize): wire.Storage {
  return { engine, bytes, parts };
}
