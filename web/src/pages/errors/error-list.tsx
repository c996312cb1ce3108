import type { ErrorSummary } from "../../../../src/features/metrics/wire.ts";
import { Sparkline } from "../../charts/sparkline.tsx";
import { formatCount, formatNumber } from "../../format/numbers.ts";
import { formatRelative } from "../../format/times.ts";
import { hasSeveral } from "../../state/fleet/instances.ts";
import { type Column, Table } from "../../ui/lists/table.tsx";
import { Badge } from "../../ui/status.tsx";
import { Moment, useNow } from "../../ui/time.tsx";
import { instancesOf } from "./instances-of.ts";
import { hrefOf, isRising } from "./order.ts";
import { Origins } from "./origins.tsx";

/** The error groups, each with a link to its details. */
export function ErrorList({ errors, hasEarlier }: { errors: readonly ErrorSummary[]; hasEarlier: boolean }) {
  const now = useNow(10_000);
  return (
    <Table
      caption="Distinct errors"
      columns={columnsAt(now, hasEarlier)}
      rows={errors}
      keyOf={({ fingerprint }) => fingerprint}
      classOf={() => "error-row"}
    />
  );
}

function columnsAt(now: number, hasEarlier: boolean): Column<ErrorSummary>[] {
  return [
    {
      name: "error",
      label: "Error",
      isHead: true,
      cell: (error) => <Name error={error} isNew={hasEarlier && error.is_new} />,
    },
    { name: "where", label: "Where", cell: (error) => <Origins {...error} /> },
    ...(hasSeveral.value
      ? [
          {
            name: "instances",
            label: "Instances",
            dropsBelow: 1200 as const,
            cell: (error: ErrorSummary) => <Affected instances={instancesOf(error)} />,
          },
        ]
      : []),
    {
      name: "trend",
      label: "Over time",
      isMinor: true,
      dropsBelow: 960,
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
      dropsBelow: 1200,
      cell: ({ first_seen }) => <Moment time={first_seen}>{formatRelative(first_seen, now)}</Moment>,
    },
  ];
}

const namedInstances = 2;

function Affected({ instances }: Pick<ErrorSummary, "instances">) {
  const names = instances.map(({ instance }) => instance);
  const rest = names.length - namedInstances;
  return (
    <span title={names.join(", ")}>
      {names.slice(0, namedInstances).join(", ")}
      {rest > 0 && <span class="hint"> and {rest} more</span>}
    </span>
  );
}

function Name({ error, isNew }: { error: ErrorSummary; isNew: boolean }) {
  const { fingerprint, type, message, previous_count: before } = error;
  return (
    <a class="error-name entry-link" href={hrefOf(fingerprint)}>
      <span class="cluster strong">
        {type}
        {isNew && <Badge tone="bad">New</Badge>}
        {!isNew && isRising(error) && (
          <Badge tone="warn">{before ? `Rising ×${formatNumber(error.count / before)}` : "Rising"}</Badge>
        )}
      </span>
      <span class="error-message hint clamp" title={message}>
        {message}
      </span>
    </a>
  );
}
