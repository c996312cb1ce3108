import type { DroppedData } from "../../feature/index.ts";
import type { OptionGroup } from "../../lib/options/option-set.ts";
import type { DatabaseSize, Engine } from "../../storage/index.ts";
import type { SettingState } from "./overrides.ts";
import type * as wire from "./wire.ts";

/** Converts a setting to its API response. */
export function toSettingResponse({ setting, value, initial, chosen }: SettingState): wire.Setting {
  const { name, meaning, kind, effect } = setting;
  return {
    name,
    meaning,
    ...kind,
    ...(effect && { effect }),
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

export function toStorageResponse(
  engine: Engine,
  size: DatabaseSize,
  stores: readonly wire.StoredData[],
): wire.Storage {
  return { engine, bytes: size.bytes, parts: size.parts.map(({ name, bytes }) => ({ name, bytes })), stores };
}

export function toGroupResponse({ name, title }: OptionGroup): wire.ConfigGroup {
  return { name, title };
}

export function toDroppedResponse({ name, title, about }: DroppedData): wire.DroppedKind {
  return { name, title, about };
}
