import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { chosenFilters, clearFilters, type FilterName, toggleFilter } from "./question.ts";

const labels: Readonly<Record<FilterName, string>> = {
  page: "Page",
  referrer: "Referrer",
  browser: "Browser",
  os: "System",
  device: "Device",
};

/** What is being filtered by; pressing one removes it. */
export function Filters() {
  const filters = chosenFilters();
  return (
    <section class="visit-filters" aria-label="Filters">
      <ul>
        {filters.map(([name, value]) => (
          <li key={name}>
            <button
              type="button"
              class="visit-chip"
              title={`Remove: ${value}`}
              onClick={() => toggleFilter(name, value)}
            >
              <span class="visit-chip-name">{labels[name]}</span>
              <span class="visit-chip-value">{value}</span>
              <Icon name="close" label="Remove this filter" />
            </button>
          </li>
        ))}
      </ul>
      {filters.length > 1 && (
        <Button look="ghost" onClick={clearFilters}>
          Clear all
        </Button>
      )}
    </section>
  );
}
