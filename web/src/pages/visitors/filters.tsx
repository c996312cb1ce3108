import type { FilterName } from "../../../../src/features/visitors/wire.ts";
import { FilterChips } from "../../ui/controls/filter-chips.tsx";
import { chosenFilters, clearFilters, toggleFilter } from "./filter-params.ts";

const labels: Readonly<Record<FilterName, string>> = {
  page: "Page",
  referrer: "Referrer",
  browser: "Browser",
  os: "System",
  device: "Device",
};

/** The active filters; pressing one removes it. */
export function Filters() {
  const filters = chosenFilters().map(([name, value]) => ({
    label: labels[name],
    value,
    onRemove: () => toggleFilter(name, value),
  }));
  return <FilterChips filters={filters} onClear={clearFilters} />;
}
