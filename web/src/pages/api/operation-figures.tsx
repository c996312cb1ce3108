import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { type ChartLine, TimeChart } from "../../charts/time-chart.tsx";
import { useQuery } from "../../data/query.ts";
import type { RequestFigures, RequestSeries } from "../../data/shapes.ts";
import { formatCount, formatMs, formatPercent, formatRate } from "../../format/numbers.ts";
import { hrefTo } from "../../state/address.ts";
import { windowParams } from "../../state/time-window.ts";
import { Loaded } from "../../ui/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { share } from "./figures.ts";

/** How one operation is doing in the window of time. */
export function OperationFigures({ route }: { route: string }) {
  const series = useQuery<RequestSeries>("/_/_/data/requests", { ...windowParams.value, route, points: 90 });
  return (
    <Panel
      title="How it is doing"
      actions={<a href={hrefTo("requests", { tab: "routes", route })}>Its requests</a>}
    >
      <Loaded query={series} lines={2}>
        {(data) =>
          data.totals.count === 0 ? (
            <p class="hint">
              Nobody has called it in this window. Its calls, latencies and errors appear here.
            </p>
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

function Totals({ totals }: { totals: RequestFigures }) {
  const { count, p50_ms, p95_ms, p99_ms, status_4xx, status_5xx } = totals;
  const latency = (value: number | undefined) => (value === undefined ? "–" : formatMs(value));
  return (
    <dl class="operation-totals">
      <Total name="Calls">{formatCount(count)}</Total>
      <Total name="p50">{latency(p50_ms)}</Total>
      <Total name="p95">{latency(p95_ms)}</Total>
      <Total name="p99">{latency(p99_ms)}</Total>
      <Total name="Errors" look={status_5xx > 0 ? "bad" : ""}>
        {formatPercent(share(status_5xx, count))}
      </Total>
      <Total name="Refused" look={status_4xx > 0 ? "warn" : ""}>
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
  const { from, step_ms, points } = series;
  const times = useMemo(() => points.map((_, index) => from + index * step_ms), [series]);
  const rates = useMemo(() => rateLines(series), [series]);
  const latencies = useMemo(() => latencyLines(series), [series]);
  return (
    <div class="operation-charts">
      <TimeChart
        title="Calls a second"
        times={times}
        lines={rates}
        format={formatRate}
        isStacked
        height={104}
        sync="operation"
      />
      <TimeChart
        title="Latency"
        times={times}
        lines={latencies}
        format={formatMs}
        height={104}
        sync="operation"
      />
    </div>
  );
}

const outcomes = [
  {
    label: "answered",
    colour: "blue",
    of: ({ count, status_4xx, status_5xx }: RequestFigures) => count - status_4xx - status_5xx,
  },
  { label: "4xx", colour: "amber", of: ({ status_4xx }: RequestFigures) => status_4xx },
  { label: "5xx", colour: "red", of: ({ status_5xx }: RequestFigures) => status_5xx },
] as const;

function rateLines({ points, step_ms }: RequestSeries): ChartLine[] {
  const lines = outcomes.map(({ label, colour, of }) => ({
    label,
    colour,
    values: points.map((point) => (of(point) / step_ms) * 1_000),
  }));
  // An area without height would still be seen as a line, and a red line is taken for errors.
  return lines.filter(({ values }) => values.some((value) => value > 0));
}

const percentiles = [
  { part: "p50_ms", label: "p50", colour: "teal" },
  { part: "p95_ms", label: "p95", colour: "blue" },
] as const;

function latencyLines({ points }: RequestSeries): ChartLine[] {
  return percentiles.map(({ part, label, colour }) => ({
    label,
    colour,
    values: points.map((point) => point[part] ?? null),
  }));
}
