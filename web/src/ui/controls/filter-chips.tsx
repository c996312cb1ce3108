import { Icon } from "../icon.tsx";
import { Button } from "./button.tsx";

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
    <section class="actions" aria-label="Filters">
      <ul class="actions">
        {filters.map(({ label, value, onRemove }) => (
          <li key={label}>
            <button type="button" class="chip chosen" title={`Remove: ${value}`} onClick={onRemove}>
              <span class="quiet">{label}</span>
              <span class="filter-value ellipsis">{value}</span>
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
