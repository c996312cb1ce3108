import type { ConfigEntry, ConfigResponse } from "../../../../../src/features/settings/wire.ts";
import { param } from "../../../state/address.ts";
import { valueLabel } from "../values.tsx";
import { isSame } from "./same-value.ts";

/** The filters of the options. */

export const filters = ["all", "changed", "run-time", "editable"] as const;
export type Filter = (typeof filters)[number];

export function chosenFilter(): Filter {
  return filters.find((each) => each === param("show")) ?? "all";
}

/** Options that match the filter, regardless of the search text. */
export function passing({ entries, settings }: ConfigResponse, filter: Filter): readonly ConfigEntry[] {
  const changeable = new Set(["cron.timezone", ...settings.map(({ name }) => name)]);
  const fits: Readonly<Record<Filter, (entry: ConfigEntry) => boolean>> = {
    all: () => true,
    changed: (entry) => !isSame(entry.value, entry.default),
    "run-time": ({ source }) => source === "run time",
    editable: ({ name }) => changeable.has(name),
  };
  return entries.filter(fits[filter]);
}

/** Options that contain every word of the search text. */
export function findOptions(config: ConfigResponse): readonly ConfigEntry[] {
  const words = (param("q") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  return passing(config, chosenFilter()).filter((entry) => {
    const { name, about, value, source, variable = "" } = entry;
    const text = [name, valueLabel(name, value), source, variable, about].join("\n").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
