import "./filter-chips.css";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";

export interface FilterChip {
  readonly label: string;
  readonly value: string;
  onRemove(): void;
}

interface FilterChipsProps {
  readonly filters: readonly FilterChip[];
  onClear(): void;
}

/** The active filters. Pressing one removes it. */
export function FilterChips({ filters, onClear }: FilterChipsProps) {
  return (
    <section class="filters" aria-label="Filters">
      <ul>
        {filters.map(({ label, value, onRemove }) => (
          <li key={label}>
            <button type="button" class="filter-chip" title={`Remove: ${value}`} onClick={onRemove}>
              <span class="filter-chip-name">{label}</span>
              <span class="filter-chip-value">{value}</span>
              <Icon name="close" label="Remove this filter" />
            </button>
          </li>
        ))}
      </ul>
      {filters.length > 1 && (
        <Button look="ghost" onClick={onClear}>
          Clear all
        </Button>
      )}
    </section>
  );
}
