import type { HistorySize, LevelSize } from "../../../../../src/features/metrics/wire.ts";
import { formatBytes, formatCount, formatPercent, formatSpan } from "../../../format/numbers.ts";
import { Empty } from "../../../ui/feedback/notice.tsx";
import { type Column, Table } from "../../../ui/lists/table.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Status } from "../../../ui/status.tsx";

/** 1 hour, 30 days, 1 year. */
function formatRetention(seconds: number): string {
  const [length, unit] = units.find(([length]) => seconds >= length)!;
  const count = Math.round(seconds / length);
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

const units = [
  [365 * 86_400, "year"],
  [86_400, "day"],
  [3_600, "hour"],
  [1, "second"],
] as const;

const columns: readonly Column<LevelSize>[] = [
  {
    name: "level",
    label: "Resolution",
    isHead: true,
    cell: ({ level }) => formatSpan(level * 1_000),
  },
  { name: "rows", label: "Rows", isNumber: true, cell: ({ rows }) => formatCount(rows) },
  { name: "bytes", label: "Size", isNumber: true, cell: ({ bytes }) => formatBytes(bytes) },
  {
    name: "kept",
    label: "Retention",
    cell: ({ kept_seconds, fits_seconds: fits }) =>
      fits === undefined ? (
        formatRetention(kept_seconds)
      ) : (
        <Status tone="warn">
          {formatRetention(fits)} of {formatRetention(kept_seconds)}
        </Status>
      ),
  },
];

/** The history of metrics, by resolution. */
export function HistoryLevels({ store }: { store: HistorySize | undefined }) {
  const hint = store && (
    <>
      {formatBytes(store.bytes)} of {formatBytes(store.max_bytes)},{" "}
      {formatPercent(store.bytes / store.max_bytes)}. When full, the oldest data of the largest resolution is
      deleted.
    </>
  );
  return (
    <Panel title="Metrics by resolution" hint={hint}>
      <Table
        caption="Metrics by resolution"
        columns={columns}
        rows={store?.levels ?? []}
        keyOf={({ level }) => String(level)}
        empty={
          <Empty title="No metrics are stored yet">
            They are written every few seconds. Coarser resolutions are aggregated every hour.
          </Empty>
        }
      />
    </Panel>
  );
}
