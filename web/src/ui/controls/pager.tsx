import { formatWhole } from "../../format/numbers.ts";
import { IconButton } from "./button.tsx";

interface PagerProps {
  /** The kind of items, in the plural. */
  readonly things: string;
  /** Starts at 1. */
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  onPage(page: number): void;
}

/** The current page of a long list, with buttons for the other pages. */
export function Pager({ things, page, perPage, total, onPage }: PagerProps) {
  const last = Math.max(1, Math.ceil(total / perPage));
  if (total === 0) return null;
  const from = Math.min(total, (page - 1) * perPage + 1);
  const to = Math.min(total, page * perPage);
  return (
    <nav class="row gap-4 push" aria-label={`Pages of ${things}`}>
      <span class="hint">
        {formatWhole(from)}
        {to > from && `–${formatWhole(to)}`} of {formatWhole(total)} {things}
      </span>
      <IconButton
        name="Previous page"
        icon="right"
        class="button ghost flipped"
        disabled={page <= 1}
        onClick={() => onPage(Math.min(page, last + 1) - 1)}
      />
      <IconButton name="Next page" icon="right" disabled={page >= last} onClick={() => onPage(page + 1)} />
    </nav>
  );
}
