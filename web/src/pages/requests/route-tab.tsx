import type { RouteStats, RouteTable } from "../../../../src/features/metrics/wire.ts";
import { Meter } from "../../charts/meter.tsx";
import { failedShare } from "../../charts/request-lines.ts";
import { urlOf } from "../../data/routes.ts";
import { formatCount, formatMs, formatPercent, formatRate } from "../../format/numbers.ts";
import { formatRoute } from "../../format/routes.ts";
import { hrefTo, param, setParams } from "../../state/address.ts";
import { chosenInstance } from "../../state/fleet/instances.ts";
import { useQuery } from "../../state/query.ts";
import { windowParams } from "../../state/time-window.ts";
import { Empty, Loaded } from "../../ui/feedback/notice.tsx";
import { Icon } from "../../ui/icon.tsx";
import { type Column, Table } from "../../ui/lists/table.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Change, ErrorChange } from "./change.tsx";
import { RouteView } from "./route-view.tsx";

/** Metrics by route, or those of the selected route. */
export function RouteTab() {
  const route = param("route");
  const params = { ...windowParams.value, compare: "true" };
  const instance = `${chosenInstance.value}`;
  const query = useQuery("/_/_/data/routes", params, { key: instance });
  if (route !== undefined) {
    const stats = query.data?.routes.find((each) => each.route === route);
    return <RouteView key={`${route} ${instance}`} route={route} stats={stats} />;
  }
  const find = param("find") ?? "";
  return (
    <Panel
      title="Routes"
      hint="Changes are relative to the previous window of the same length"
      actions={
        <>
          <input
            type="search"
            data-search
            aria-label="Find routes"
            placeholder="Find routes…"
            value={find}
            onInput={(event) => setParams({ find: event.currentTarget.value }, { replace: true })}
          />
          <a class="button plain" href={urlOf("/_/_/data/routes.csv", params)} download>
            <Icon name="download" />
            CSV
          </a>
        </>
      }
    >
      <Loaded query={query} lines={8}>
        {(table) => <Routes table={table} find={find} />}
      </Loaded>
    </Panel>
  );
}

function Routes({ table: { routes, totals, from, to }, find }: { table: RouteTable; find: string }) {
  const words = find.toLowerCase().split(/\s+/).filter(Boolean);
  const found = routes.filter(({ route }) => words.every((word) => route.toLowerCase().includes(word)));
  return (
    <Table
      caption="Routes"
      columns={columnsFor(totals.total_ms, (to - from) / 1_000)}
      rows={found}
      keyOf={({ route }) => route}
      sort="-total"
      empty={
        routes.length === 0 ? (
          <Empty icon="requests" title="No requests in this window">
            Routes appear here as soon as they are called.
          </Empty>
        ) : (
          <Empty icon="search" title="No route matches" />
        )
      }
    />
  );
}

function columnsFor(total: number, seconds: number): Column<RouteStats>[] {
  const ms = (name: "p50_ms" | "p95_ms" | "p99_ms", label: string): Column<RouteStats> => ({
    name,
    label,
    isNumber: true,
    sortBy: (route) => route[name],
    cell: (route) => (route[name] === undefined ? "–" : formatMs(route[name])),
  });
  return [
    {
      name: "route",
      label: "Route",
      isHead: true,
      sortBy: ({ route }) => route,
      cell: ({ route }) => (
        <a class="mono" href={hrefTo("requests", { tab: "routes", route })}>
          {formatRoute(route)}
        </a>
      ),
    },
    {
      name: "count",
      label: "Calls",
      isNumber: true,
      sortBy: ({ count }) => count,
      cell: ({ count, previous_count: before }) => (
        <>
          {formatCount(count)} <Change now={count} before={before} />
        </>
      ),
    },
    {
      name: "rate",
      label: "Per second",
      isNumber: true,
      isMinor: true,
      sortBy: ({ count }) => count,
      cell: ({ count }) => formatRate(count / seconds),
    },
    ms("p50_ms", "p50"),
    {
      ...ms("p95_ms", "p95"),
      cell: ({ p95_ms: now, previous_p95_ms: before }) => (
        <>
          {now === undefined ? "–" : formatMs(now)} <Change now={now} before={before} isMoreWorse />
        </>
      ),
    },
    ms("p99_ms", "p99"),
    {
      name: "errors",
      label: "Errors",
      isNumber: true,
      sortBy: failedShare,
      cell: (route) => (
        <>
          <span class={failedShare(route) > 0 ? "bad" : "quiet"}>{formatPercent(failedShare(route))}</span>{" "}
          <ErrorChange route={route} />
        </>
      ),
    },
    {
      name: "total",
      label: "Total time",
      isNumber: true,
      sortBy: ({ total_ms }) => total_ms,
      cell: ({ total_ms }) => (
        <span class="share stack gap-2">
          {formatMs(total_ms)}
          <Meter ratio={total === 0 ? 0 : total_ms / total} label="Share of all time" colour="blue" />
        </span>
      ),
    },
  ];
}
