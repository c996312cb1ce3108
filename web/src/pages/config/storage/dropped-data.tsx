import { formatCount } from "../../../format/numbers.ts";
import { type Column, Table } from "../../../ui/lists/table.tsx";
import { Status } from "../../../ui/status.tsx";

/** The meaning of each count, and its remedy. */
const words: Readonly<Record<string, readonly [name: string, meaning: string]>> = {
  log_records: [
    "Log records",
    "They arrived faster than the database could store them, with 16 MiB queued, or the thread that stores them ended. They are in the log's destination, but cannot be searched.",
  ],
  page_views: [
    "Page views",
    "Too many arrived in one second to count each one, so the visitor numbers are too low.",
  ],
  watchers: ["Disconnected browsers", "They read the live stream too slowly. They reconnect automatically."],
  slow_event_streams: [
    "Slow clients of event streams",
    "They were disconnected, because they were more than limits.unreadBytes behind. Browsers reconnect automatically.",
  ],
  slow_websockets: [
    "Slow clients of WebSockets",
    "Their WebSockets were closed with 1013, because they were more than limits.unreadBytes behind.",
  ],
  refused_event_streams: [
    "Refused event streams",
    "Too many were open: see limits.openStreamsPerAddress and limits.openStreams.",
  ],
  refused_websockets: [
    "Refused WebSockets",
    "Too many were open: see limits.openStreamsPerAddress and limits.openStreams.",
  ],
  error_details: [
    "Error details",
    "Too many errors occurred in a short time. They are counted, but without stack and trace.",
  ],
  routes: [
    "Requests beyond the route limit",
    "There were more routes than can be counted separately. These requests are counted together.",
  ],
  handed_over: [
    "Seconds of metrics",
    "The thread that stores them was not running or had too much to do, so charts have a gap.",
  ],
  slots: ["Metric slots", "They could not be written for too long and were discarded, so charts have a gap."],
  stored_errors: [
    "Errors not stored",
    "There were too many kinds, or they could not be written for too long.",
  ],
};

interface Dropped {
  readonly name: string;
  readonly count: number;
}

const columns: readonly Column<Dropped>[] = [
  { name: "name", label: "Data", isHead: true, cell: ({ name }) => words[name]?.[0] ?? name },
  {
    name: "count",
    label: "Count",
    cell: ({ count }) =>
      count === 0 ? <Status tone="good">none</Status> : <Status tone="warn">{formatCount(count)}</Status>,
  },
  { name: "meaning", label: "Meaning", cell: ({ name }) => words[name]?.[1] ?? "" },
];

/** Data that was dropped so that the application did not have to wait. */
export function DroppedData({ dropped }: { dropped: Readonly<Record<string, number>> }) {
  const rows = Object.entries(dropped).map(([name, count]) => ({ name, count }));
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
