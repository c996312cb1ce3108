import type { RouteStats, RouteTable } from "../../../../src/features/metrics/wire.ts";
import { Meter } from "../../charts/meter.tsx";
import { failedShare } from "../../charts/request-lines.ts";
import { formatCount, formatMs, formatPercent } from "../../format/numbers.ts";
import { formatRoute } from "../../format/routes.ts";
import { hrefTo } from "../../state/address.ts";
import type { Query } from "../../state/query.ts";
import { Empty, Loaded } from "../../ui/feedback/notice.tsx";
import { type Column, Table } from "../../ui/lists/table.tsx";
import { Panel } from "../../ui/panel.tsx";

const shown = 8;

/** Routes by total time: a fast route that is called often may cost more than a slow one. */
export function WorstRoutes({ query }: { query: Query<RouteTable> }) {
  return (
    <Panel
      title="Where the time goes"
      hint="Routes by total time spent"
      actions={<a href={hrefTo("requests", { tab: "routes" })}>All routes</a>}
    >
      <Loaded query={query}>
        {({ routes, totals }) => (
          <Table
            caption="Routes by total time spent"
            columns={columnsFor(totals.total_ms)}
            rows={routes.slice(0, shown)}
            keyOf={({ route }) => route}
            empty={
              <Empty icon="requests" title="No requests in this window">
                Routes appear here as soon as they are called.
              </Empty>
            }
          />
        )}
      </Loaded>
    </Panel>
  );
}

function columnsFor(total: number): Column<RouteStats>[] {
  return [
    {
      name: "route",
      label: "Route",
      isHead: true,
      cell: ({ route }) => (
        <a class="mono" href={hrefTo("requests", { tab: "routes", route })}>
          {formatRoute(route)}
        </a>
      ),
    },
    {
      name: "share",
      label: "Time",
      cell: ({ total_ms }) => (
        <span class="share stack gap-2">
          <Meter ratio={total === 0 ? 0 : total_ms / total} label="Share of all time" colour="blue" />
          {formatMs(total_ms)}
        </span>
      ),
    },
    { name: "count", label: "Calls", isNumber: true, cell: ({ count }) => formatCount(count) },
    {
      name: "p95",
      label: "p95",
      isNumber: true,
      cell: ({ p95_ms }) => (p95_ms === undefined ? "–" : formatMs(p95_ms)),
    },
    {
      name: "errors",
      label: "Errors",
      isNumber: true,
      cell: (route) => (
        <span class={failedShare(route) > 0 ? "bad" : "quiet"}>{formatPercent(failedShare(route))}</span>
      ),
    },
  ];
}
