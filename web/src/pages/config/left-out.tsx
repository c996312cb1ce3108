import { formatCount } from "../../format/numbers.ts";
import { Status } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";

/** What each count means, and what to do about it. */
const words: Readonly<Record<string, readonly [name: string, meaning: string]>> = {
  log_records: [
    "Log records",
    "They came faster than the database could take them, with 16 MiB waiting. They are in the log's destination, but cannot be searched.",
  ],
  page_views: [
    "Page views",
    "Too many came in one second to count each one, so the visitor figures are too low.",
  ],
  watchers: ["Watchers cut off", "Browsers that read the live stream too slowly. Each reconnects by itself."],
  error_details: [
    "Details of errors",
    "Too many errors came at once. They are counted, but without stack and trace.",
  ],
  routes: [
    "Requests of surplus routes",
    "There were more routes than are told apart. These requests are counted together as others.",
  ],
  handed_over: [
    "Seconds not handed over",
    "The thread that keeps figures did not take them, so charts have a gap.",
  ],
  slots: [
    "Slots of figures",
    "They could not be written for too long and were given up, so charts have a gap.",
  ],
  stored_errors: ["Errors not kept", "There were too many kinds, or they could not be written for too long."],
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

/** What had to be dropped, so that the application did not have to wait. */
export function LeftOut({ dropped }: { dropped: Readonly<Record<string, number>> }) {
  const rows = Object.entries(dropped).map(([name, count]) => ({ name, count }));
  const isClean = rows.every(({ count }) => count === 0);
  return (
    <section class="left-out" aria-label="Dropped since the start">
      <h3>Dropped since the start</h3>
      {isClean ? (
        <Status tone="good">Nothing was dropped.</Status>
      ) : (
        <p class="hint">
          The application never waits for its monitoring: what is too much is dropped and counted.
        </p>
      )}
      <details open={!isClean}>
        <summary>What is counted here</summary>
        <Table caption="Dropped since the start" columns={columns} rows={rows} keyOf={({ name }) => name} />
      </details>
    </section>
  );
}
