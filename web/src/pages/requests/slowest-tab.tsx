import type { SlowRequest } from "../../../../src/features/metrics/wire.ts";
import { formatMs } from "../../format/numbers.ts";
import { formatDay, formatPrecise } from "../../format/times.ts";
import { hrefTo, param } from "../../state/address.ts";
import { chosenInstance, hasSeveral } from "../../state/fleet/instances.ts";
import { useQuery } from "../../state/query.ts";
import { windowParams } from "../../state/time-window.ts";
import { Empty, Loaded } from "../../ui/feedback/notice.tsx";
import { type Column, Table } from "../../ui/lists/table.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Method, StatusCode } from "../../ui/status.tsx";

export interface SlowRow {
  readonly trace: string;
  readonly time: number;
  readonly method: string;
  readonly path: string;
  readonly route?: string;
  readonly status: number;
  readonly durationMs: number;
  readonly instance?: string;
}

/** The slowest requests of the window. */
export function useSlowestRequests() {
  return useQuery("/_/_/data/slowest", windowParams.value);
}

export function toSlowRow({ trace_id, duration_ms, ...rest }: SlowRequest): SlowRow {
  return { ...rest, trace: trace_id, durationMs: duration_ms };
}

export function SlowestTab() {
  const query = useSlowestRequests();
  return (
    <Panel
      title="Slowest requests"
      hint={`The slowest in this window, at most three per route, ${describeInstances()}`}
    >
      <Loaded query={query}>{({ requests }) => <SlowTable rows={requests.map(toSlowRow)} />}</Loaded>
    </Panel>
  );
}

const describeInstances = () =>
  chosenInstance.value === undefined ? "across all instances" : `on ${chosenInstance.value}`;

/** The URL that shows a trace next to the current tab. */
export function hrefToTrace(trace: string): string {
  return hrefTo("requests", { tab: param("tab"), route: param("route"), q: param("q"), trace });
}

const columns: readonly Column<SlowRow>[] = [
  {
    name: "path",
    label: "Request",
    isHead: true,
    sortBy: ({ path }) => path,
    cell: ({ trace, method, path }) => (
      <a href={hrefToTrace(trace)}>
        <Method method={method} /> <span class="mono">{path}</span>
      </a>
    ),
  },
  {
    name: "duration",
    label: "Duration",
    isNumber: true,
    sortBy: ({ durationMs }) => durationMs,
    cell: ({ durationMs }) => formatMs(durationMs),
  },
  {
    name: "status",
    label: "Status",
    isNumber: true,
    sortBy: ({ status }) => status,
    cell: ({ status }) => <StatusCode status={status} />,
  },
  {
    name: "route",
    label: "Route",
    sortBy: ({ route }) => route,
    cell: ({ method, route }) =>
      route ? (
        <a class="mono" href={hrefTo("requests", { tab: "routes", route: `${method} ${route}` })}>
          {route}
        </a>
      ) : (
        <span class="hint">–</span>
      ),
  },
  {
    name: "time",
    label: "Ended",
    sortBy: ({ time }) => time,
    cell: ({ time }) => `${formatDay(time)}, ${formatPrecise(time)}`,
  },
  { name: "trace", label: "Trace", isMinor: true, cell: ({ trace }) => <code>{trace}</code> },
];

const instanceColumn: Column<SlowRow> = {
  name: "instance",
  label: "Instance",
  dropsBelow: 1200,
  sortBy: ({ instance }) => instance,
  cell: ({ instance }) => instance ?? <span class="hint">–</span>,
};

interface SlowTableProps {
  readonly rows: readonly SlowRow[];
  /** If set, the column with the route is omitted. */
  readonly isOfOneRoute?: boolean;
}

export function SlowTable({ rows, isOfOneRoute = false }: SlowTableProps) {
  const shown = hasSeveral.value ? [...columns, instanceColumn] : columns;
  return (
    <Table
      caption="Slowest requests"
      columns={isOfOneRoute ? shown.filter(({ name }) => name !== "route") : shown}
      rows={rows}
      keyOf={({ trace }) => trace}
      sort="-duration"
      empty={
        <Empty icon="requests" title="No requests in this window">
          The slowest requests appear here as soon as there are any.
        </Empty>
      }
    />
  );
}
