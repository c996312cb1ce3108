import { formatCount } from "../../format/numbers.ts";
import { Status } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";

/** What each count means, and what to do about it. */
const words: Readonly<Record<string, readonly [name: string, meaning: string]>> = {
  log_records: [
    "Log records",
    "The database could not take them as fast as they came, and 16 MiB were waiting. They are in the log's destination, but cannot be searched.",
  ],
  page_views: [
    "Page views",
    "Too many came in one second to count each of them; the visitors' figures are too low.",
  ],
  watchers: [
    "Watchers cut off",
    "Browsers that read the live stream too slowly. Each begins again by itself with a snapshot.",
  ],
  error_details: [
    "Details of errors",
    "Too many errors came at once: they are counted, but without stack and trace.",
  ],
  routes: [
    "Requests of a route too many",
    "There were more routes than are told apart; these requests are counted together as others.",
  ],
  handed_over: [
    "Seconds not handed over",
    "The thread that keeps figures did not take them; charts have a gap there.",
  ],
  slots: [
    "Slots of figures",
    "They could not be written for too long and were given up; charts have a gap there.",
  ],
  stored_errors: ["Errors not kept", "They were of a kind too many, or could not be written for too long."],
};

interface Dropped {
  readonly name: string;
  readonly count: number;
}

const columns: readonly Column<Dropped>[] = [
  { name: "name", label: "What", isHead: true, cell: ({ name }) => words[name]?.[0] ?? name },
  {
    name: "count",
    label: "How many",
    cell: ({ count }) =>
      count === 0 ? <Status tone="good">none</Status> : <Status tone="warn">{formatCount(count)}</Status>,
  },
  { name: "meaning", label: "What it means", cell: ({ name }) => words[name]?.[1] ?? "" },
];

/** What had to be left out, so that the application did not have to wait. */
export function LeftOut({ dropped }: { dropped: Readonly<Record<string, number>> }) {
  const rows = Object.entries(dropped).map(([name, count]) => ({ name, count }));
  const isClean = rows.every(({ count }) => count === 0);
  return (
    <section class="left-out" aria-label="Left out since the start">
      <h3>Left out since the start</h3>
      {isClean ? (
        <Status tone="good">Nothing had to be left out.</Status>
      ) : (
        <p class="hint">
          The application never waits for what watches it; what is too much is left out and counted.
        </p>
      )}
      <details open={!isClean}>
        <summary>What is counted here</summary>
        <Table caption="Left out since the start" columns={columns} rows={rows} keyOf={({ name }) => name} />
      </details>
    </section>
  );
}
