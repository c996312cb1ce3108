import type { ErrorSummary } from "../../../../src/features/metrics/wire.ts";
import { Sparkline } from "../../charts/sparkline.tsx";
import { formatCount } from "../../format/numbers.ts";
import { formatRelative } from "../../format/times.ts";
import { type Column, Table } from "../../ui/lists/table.tsx";
import { Badge } from "../../ui/status.tsx";
import { Moment, useNow } from "../../ui/time.tsx";
import { hrefOf } from "./order.ts";
import { Origins } from "./origins.tsx";

/** The error groups, each with a link to its details. */
export function ErrorList({ errors }: { errors: readonly ErrorSummary[] }) {
  const now = useNow(10_000);
  return (
    <Table
      caption="Kinds of errors"
      columns={columnsAt(now)}
      rows={errors}
      keyOf={({ fingerprint }) => fingerprint}
      classOf={() => "error-row"}
    />
  );
}

function columnsAt(now: number): Column<ErrorSummary>[] {
  return [
    { name: "error", label: "Error", isHead: true, cell: (error) => <Name error={error} /> },
    { name: "where", label: "Where", cell: (error) => <Origins {...error} /> },
    {
      name: "trend",
      label: "Over time",
      isMinor: true,
      cell: ({ series }) => (
        <span class="error-spark">
          <Sparkline values={series} colour="red" />
        </span>
      ),
    },
    {
      name: "count",
      label: "Count",
      isNumber: true,
      cell: ({ count, total }) => (
        <span title={`${formatCount(total)} in total`}>
          <b>{formatCount(count)}</b>
          {total > count && <span class="hint stack">of {formatCount(total)}</span>}
        </span>
      ),
    },
    {
      name: "last",
      label: "Last seen",
      isNumber: true,
      cell: ({ last_seen }) => <Moment time={last_seen}>{formatRelative(last_seen, now)}</Moment>,
    },
    {
      name: "first",
      label: "First seen",
      isNumber: true,
      cell: ({ first_seen }) => <Moment time={first_seen}>{formatRelative(first_seen, now)}</Moment>,
    },
  ];
}

function Name({ error: { fingerprint, type, message, is_new } }: { error: ErrorSummary }) {
  return (
    <a class="error-name entry-link" href={hrefOf(fingerprint)}>
      <span class="cluster strong">
        {type}
        {is_new && <Badge tone="bad">New</Badge>}
      </span>
      <span class="error-message hint clamp" title={message}>
        {message}
      </span>
    </a>
  );
}
