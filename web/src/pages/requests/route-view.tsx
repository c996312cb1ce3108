import { useMemo, useRef } from "preact/hooks";
import type { RecentLimits, RequestSeries, RouteStats } from "../../../../src/features/metrics/wire.ts";
import { classLines, failedShare, latencyHint, latencyLines, timesOf } from "../../charts/request-lines.ts";
import { TimeChart } from "../../charts/time-chart.tsx";
import { fromRecent, fromRecord } from "../../data/request-rows.ts";
import { formatCount, formatMs, formatPercent, formatRate } from "../../format/numbers.ts";
import { formatRoute } from "../../format/routes.ts";
import { isSearchable, toSearchParams } from "../../query-bar/params.ts";
import { formatToken } from "../../query-bar/tokens.ts";
import { hrefTo } from "../../state/address.ts";
import { chosenInstance } from "../../state/fleet/instances.ts";
import { useQuery } from "../../state/query.ts";
import { timeWindow, windowParams } from "../../state/time-window.ts";
import { Problem } from "../../ui/feedback/notice.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Change, ErrorChange } from "./change.tsx";
import { type SlowRow, SlowTable, toSlowRow, useSlowestRequests } from "./slowest-tab.tsx";

interface RouteViewProps {
  readonly route: string;
  readonly stats: RouteStats | undefined;
}

/** One route: its request rate, latency, and slowest requests. */
export function RouteView({ route, stats }: RouteViewProps) {
  const query = useQuery("/_/_/data/requests", {
    ...windowParams.value,
    points: 180,
    route,
    smooth: "true",
  });
  return (
    <>
      <Panel
        title={formatRoute(route)}
        hint={<a href={hrefTo("requests", { tab: "routes" })}>All routes</a>}
        actions={
          <a class="button plain" href={hrefTo("requests", { q: formatToken("route", route) })}>
            <Icon name="requests" />
            Show requests
          </a>
        }
        class="route-view"
      >
        <Stats stats={stats} />
        {query.error && <Problem error={query.error} retry={query.reload} />}
        <RouteCharts series={query.data} />
      </Panel>
      <Panel title="Slowest requests" hint="Of those in memory, stored or measured, in this window">
        <SlowTable rows={useSlowest(route, stats?.p95_ms)} isOfOneRoute />
      </Panel>
    </>
  );
}

/** Until they are known, dashes reserve their room. */
function Stats({ stats }: { stats: RouteStats | undefined }) {
  const { count, previous_count, p50_ms, p95_ms, previous_p95_ms, p99_ms, max_ms, total_ms } = stats ?? {};
  const ms = (value: number | undefined) => (value === undefined ? "–" : formatMs(value));
  return (
    <dl class="stats cluster gap-16">
      <div>
        <dt>Calls</dt>
        <dd>
          {count === undefined ? "–" : formatCount(count)} <Change now={count} before={previous_count} />
        </dd>
      </div>
      <div>
        <dt>p50</dt>
        <dd>{ms(p50_ms)}</dd>
      </div>
      <div>
        <dt>p95</dt>
        <dd>
          {ms(p95_ms)} <Change now={p95_ms} before={previous_p95_ms} isMoreWorse />
        </dd>
      </div>
      <div>
        <dt>p99</dt>
        <dd>{ms(p99_ms)}</dd>
      </div>
      <div>
        <dt>Slowest</dt>
        <dd>{ms(max_ms)}</dd>
      </div>
      <div>
        <dt>Errors</dt>
        <dd>{stats ? <ErrorShare stats={stats} /> : "–"}</dd>
      </div>
      <div>
        <dt>Total time</dt>
        <dd>{ms(total_ms)}</dd>
      </div>
    </dl>
  );
}

function ErrorShare({ stats }: { stats: RouteStats }) {
  const share = failedShare(stats);
  return (
    <>
      <span class={share > 0 ? "bad" : ""}>{formatPercent(share)}</span> <ErrorChange route={stats} />
    </>
  );
}

function RouteCharts({ series }: { series: RequestSeries | undefined }) {
  const times = useMemo(() => (series ? timesOf(series, series.points.length) : []), [series]);
  const rates = useMemo(() => classLines(series), [series]);
  const latencies = useMemo(() => latencyLines(series), [series]);
  const common = { times, sync: "route", height: 140 };
  return (
    <>
      <TimeChart
        {...common}
        title="Requests per second"
        lines={rates}
        format={formatRate}
        empty="No requests in this window"
        isStacked
      />
      <TimeChart
        {...common}
        title="Latency"
        isDuration
        hint={latencyHint(series)}
        lines={latencies}
        format={formatMs}
        empty="No requests in this window"
      />
    </>
  );
}

const listed = 10;
const minuteMs = 60_000;
const mostKept: RecentLimits["kept"] = 1_000;

/** The slowest requests: those in memory, stored ones above the 95th percentile, and those in the metrics. */
function useSlowest(route: string, p95: number | undefined): readonly SlowRow[] {
  const { from, to } = timeWindow.value;
  const instance = chosenInstance.value;
  const recent = useQuery(
    "/_/_/data/recent",
    { route, instance, limit: mostKept },
    { every: 5_000, key: `${instance}` },
  );
  // The search reads stored records, so it is not repeated with every step of the window.
  const least = useRef<number | undefined>(undefined);
  least.current ??= p95 === undefined ? undefined : Math.floor(p95 * 0.9);
  const filter = { route, instance, where: [], not: [], minDurationMs: least.current ?? 0 };
  const search = { ...toSearchParams(filter), event: "http_request" };
  const stored = useQuery(
    isSearchable(filter) && least.current !== undefined ? "/_/_/data/logs" : null,
    { ...search, from: Math.floor(from / minuteMs) * minuteMs, limit: 200 },
    { key: JSON.stringify(search) },
  );
  const measured = useSlowestRequests();
  const found: readonly SlowRow[] = [
    // They survive a restart, also if requests are not logged.
    ...(measured.data?.requests.filter((each) => `${each.method} ${each.route}` === route).map(toSlowRow) ??
      []),
    ...(stored.data?.items.flatMap((record) => fromRecord(record) ?? []) ?? []),
    // Last, because requests from memory have more details than their records.
    ...(recent.data?.requests.map(fromRecent) ?? []),
  ];
  const byTrace = new Map(found.map((row) => [row.trace, row]));
  return [...byTrace.values()]
    .filter(({ time }) => time >= from && time <= to + minuteMs)
    .sort((one, other) => other.durationMs - one.durationMs)
    .slice(0, listed);
}
