import type { HistorySize } from "../../../../../src/features/metrics/wire.ts";
import { formatBytes, formatCount, formatPercent } from "../../../format/numbers.ts";
import { Empty } from "../../../ui/feedback/notice.tsx";
import { type Column, Table } from "../../../ui/lists/table.tsx";
import { Panel } from "../../../ui/panel.tsx";

type Level = HistorySize["levels"][number];

const words: Readonly<Record<number, readonly [name: string, kept: string]>> = {
  1: ["1 s", "1 hour"],
  10: ["10 s", "1 day"],
  60: ["1 min", "30 days"],
  3600: ["1 h", "1 year"],
  86400: ["1 d", "1 year"],
};

const columns: readonly Column<Level>[] = [
  {
    name: "level",
    label: "Resolution",
    isHead: true,
    cell: ({ level }) => words[level]?.[0] ?? `${level} s`,
  },
  { name: "rows", label: "Rows", isNumber: true, cell: ({ rows }) => formatCount(rows) },
  { name: "bytes", label: "Size", isNumber: true, cell: ({ bytes }) => formatBytes(bytes) },
  { name: "kept", label: "Retention", cell: ({ level }) => words[level]?.[1] ?? "–" },
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
