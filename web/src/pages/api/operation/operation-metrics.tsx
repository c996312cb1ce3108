import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import type { RequestSeries, RequestStats } from "../../../../../src/features/metrics/wire.ts";
import type { ChartLine } from "../../../charts/chart.ts";
import {
  classLines,
  failedShare,
  latencyHint,
  latencyLines,
  timesOf,
} from "../../../charts/request-lines.ts";
import { TimeChart } from "../../../charts/time-chart.tsx";
import { formatCount, formatMs, formatPercent, formatRate } from "../../../format/numbers.ts";
import { hrefTo } from "../../../state/address.ts";
import { useQuery } from "../../../state/query.ts";
import { windowParams } from "../../../state/time-window.ts";
import { Loaded } from "../../../ui/feedback/notice.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { share } from "../route-stats.ts";

/** The metrics of one operation in the time window. */
export function OperationMetrics({ route }: { route: string }) {
  const series = useQuery("/_/_/data/requests", {
    ...windowParams.value,
    route,
    points: 90,
    smooth: "true",
  });
  return (
    <Panel
      title="Live metrics"
      class="operation-metrics"
      actions={<a href={hrefTo("requests", { tab: "routes", route })}>Show requests</a>}
    >
      <Loaded query={series} lines={2}>
        {(data) =>
          data.totals.count === 0 ? (
            <p class="hint">No calls in this window. Calls, latency and errors appear here.</p>
          ) : (
            <>
              <Totals totals={data.totals} />
              <OperationCharts series={data} />
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

function Totals({ totals }: { totals: RequestStats }) {
  const { count, p50_ms, p95_ms, p99_ms, status_4xx, status_5xx } = totals;
  const latency = (value: number | undefined) => (value === undefined ? "–" : formatMs(value));
  return (
    <dl class="operation-totals stats columns">
      <Total name="Calls">{formatCount(count)}</Total>
      <Total name="p50">{latency(p50_ms)}</Total>
      <Total name="p95">{latency(p95_ms)}</Total>
      <Total name="p99">{latency(p99_ms)}</Total>
      <Total name="Errors" look={status_5xx > 0 ? "bad" : ""}>
        {formatPercent(failedShare(totals))}
      </Total>
      <Total name="Client errors" look={status_4xx > 0 ? "warn" : ""}>
        {formatPercent(share(status_4xx, count))}
      </Total>
    </dl>
  );
}

function Total({ name, look = "", children }: { name: string; look?: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class={look}>{children}</dd>
    </div>
  );
}

function OperationCharts({ series }: { series: RequestSeries }) {
  const times = useMemo(() => timesOf(series, series.points.length), [series]);
  const rates = useMemo(() => seenLines(series), [series]);
  const latencies = useMemo(() => latencyLines(series), [series]);
  return (
    <div class="grid">
      <TimeChart
        title="Calls per second"
        times={times}
        lines={rates}
        format={formatRate}
        isStacked
        height={104}
        sync="operation"
      />
      <TimeChart
        title="Latency"
        isDuration
        hint={latencyHint(series)}
        times={times}
        lines={latencies}
        format={formatMs}
        height={104}
        sync="operation"
      />
    </div>
  );
}

/** Omits areas without height: they would still be visible as lines, and a red line looks like errors. */
function seenLines(series: RequestSeries): ChartLine[] {
  return classLines(series).filter(({ values }) => values.some((value) => value !== null && value > 0));
}
