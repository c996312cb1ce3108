import type { DroppedKind } from "../../../../../src/features/settings/wire.ts";
import { formatCount } from "../../../format/numbers.ts";
import { type Column, Table } from "../../../ui/lists/table.tsx";
import { Status } from "../../../ui/status.tsx";

interface Dropped extends DroppedKind {
  readonly count: number;
}

const columns: readonly Column<Dropped>[] = [
  { name: "name", label: "Data", isHead: true, cell: ({ title }) => title },
  {
    name: "count",
    label: "Count",
    cell: ({ count }) =>
      count === 0 ? <Status tone="good">none</Status> : <Status tone="warn">{formatCount(count)}</Status>,
  },
  { name: "meaning", label: "Meaning", cell: ({ about }) => about },
];

/** What the store of the metrics drops. It counts this itself. */
const ofHistory: readonly DroppedKind[] = [
  {
    name: "slots",
    title: "Metric slots",
    about: "They could not be written for too long and were discarded, so charts have a gap.",
  },
  {
    name: "stored_errors",
    title: "Errors not stored",
    about: "There were too many kinds, or they could not be written for too long.",
  },
];

interface DroppedDataProps {
  readonly kinds: readonly DroppedKind[];
  readonly counts: Readonly<Record<string, number>>;
}

/** Data that was dropped so that the application did not have to wait. */
export function DroppedData({ kinds, counts }: DroppedDataProps) {
  const rows = [...kinds, ...ofHistory].flatMap((kind): Dropped[] => {
    const { [kind.name]: count } = counts;
    return count === undefined ? [] : [{ ...kind, count }];
  });
  const isClean = rows.every(({ count }) => count === 0);
  return (
    <section class="left-out stack gap-4" aria-label="Dropped since startup">
      <h3>Dropped since startup</h3>
      {isClean ? (
        <Status tone="good">Nothing was dropped.</Status>
      ) : (
        <p class="hint">
          The application never waits for its monitoring: excess data is dropped and counted.
        </p>
      )}
      <details open={!isClean}>
        <summary class="hint">All counts</summary>
        <Table caption="Dropped since startup" columns={columns} rows={rows} keyOf={({ name }) => name} />
      </details>
    </section>
  );
}
