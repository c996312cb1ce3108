import { param } from "../../state/address.ts";
import { meanings } from "./meanings.ts";
import { type ConfigAnswer, type Entry, isSame } from "./shapes.ts";
import { wordValue } from "./values.tsx";

/** The filters of the options. */

export const filters = ["all", "changed", "run-time", "editable"] as const;
export type Filter = (typeof filters)[number];

export function chosenFilter(): Filter {
  return filters.find((each) => each === param("show")) ?? "all";
}

/** Options that match the filter, regardless of the search text. */
export function passing({ entries, settings }: ConfigAnswer, filter: Filter): readonly Entry[] {
  const changeable = new Set(["cron.timezone", ...settings.map(({ name }) => name)]);
  const fits: Readonly<Record<Filter, (entry: Entry) => boolean>> = {
    all: () => true,
    changed: (entry) => !isSame(entry.value, entry.default),
    "run-time": ({ source }) => source === "run time",
    editable: ({ name }) => changeable.has(name),
  };
  return entries.filter(fits[filter]);
}

/** Options that contain every word of the search text. */
export function findOptions(config: ConfigAnswer): readonly Entry[] {
  const words = (param("q") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const own = new Map(config.settings.map(({ name, meaning }) => [name, meaning]));
  return passing(config, chosenFilter()).filter((entry) => {
    const { name, value, source, variable = "" } = entry;
    const meaning = own.get(name) ?? meanings[name] ?? "";
    const said = [name, wordValue(name, value), source, variable, meaning].join("\n").toLowerCase();
    return words.every((word) => said.includes(word));
  });
}
