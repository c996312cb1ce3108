import { FilterChips } from "../../ui/filter-chips.tsx";
import { chosenFilters, clearFilters, type FilterName, toggleFilter } from "./question.ts";

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
