import { useMemo } from "preact/hooks";
import type { Recording } from "../../../../src/features/logging/wire.ts";
import type { ChartLine } from "../../charts/chart.ts";
import { classLines, timesOf } from "../../charts/request-lines.ts";
import { TimeChart } from "../../charts/time-chart.tsx";
import { formatRate } from "../../format/numbers.ts";
import { formatRoute } from "../../format/routes.ts";
import { isSearchable, toSearchParams } from "../../query-bar/params.ts";
import type { RecordFilter } from "../../query-bar/parse.ts";
import { useQuery } from "../../state/query.ts";
import { timeWindow, windowParams } from "../../state/time-window.ts";
import { Problem } from "../../ui/feedback/notice.tsx";

interface RequestChartProps {
  readonly filter: RecordFilter;
  readonly recording: Recording | undefined;
}

/** Request counts over time. Metrics have routes and status classes; for other filters, records are counted. */
export function RequestChart({ filter, recording }: RequestChartProps) {
  const isPlain = isCountedByMetrics(filter);
  const isCounted = !isPlain && recording?.requests === true && isSearchable(filter);
  return (
    <section class="panel" aria-label="Over time">
      {isCounted ? <CountedChart filter={filter} /> : <MetricsChart filter={filter} isPlain={isPlain} />}
    </section>
  );
}

function isCountedByMetrics(filter: RecordFilter): boolean {
  const { route, status, where, not, instance, ...others } = filter;
  const isClass = status === undefined || status.endsWith("xx");
  return (
    isClass && where.length + not.length === 0 && Object.values(others).every((value) => value === undefined)
  );
}

function MetricsChart({ filter: { route, status }, isPlain }: { filter: RecordFilter; isPlain: boolean }) {
  const query = useQuery("/_/_/data/requests", { ...windowParams.value, points: 180, route });
  const { data } = query;
  const times = useMemo(() => (data ? timesOf(data, data.points.length) : []), [data]);
  const lines = useMemo(() => classLines(data, isPlain ? status : undefined), [data, isPlain, status]);
  return (
    <>
      {query.error && <Problem error={query.error} retry={query.reload} />}
      <TimeChart
        title={route === undefined ? "Requests per second" : `Requests per second, ${formatRoute(route)}`}
        hint={isPlain ? undefined : "All requests: this search cannot be counted"}
        times={times}
        lines={lines}
        format={formatRate}
        empty="No requests in this window"
        height={140}
        isStacked
      />
    </>
  );
}

/** Counting requires reading records, so it is repeated less often. */
const stepMs = 15_000;

function CountedChart({ filter }: { filter: RecordFilter }) {
  const { from, to } = timeWindow.value;
  const search = { ...toSearchParams(filter), event: "http_request" };
  const round = (time: number) => Math.ceil(time / stepMs) * stepMs;
  const query = useQuery(
    "/_/_/data/logs/volume",
    { ...search, from: round(from), to: round(to), points: 180 },
    { key: JSON.stringify(search) },
  );
  const { data } = query;
  const times = useMemo(() => data?.points.map(({ time }) => time) ?? [], [data]);
  const lines = useMemo<ChartLine[]>(
    () => [
      {
        label: "Matching",
        colour: "violet",
        values: data?.points.map(({ debug }) => debug / (data.step_ms / 1_000)) ?? [],
      },
    ],
    [data],
  );
  return (
    <>
      {query.error && <Problem error={query.error} retry={query.reload} />}
      <TimeChart
        title="Matching requests per second"
        hint={
          data && !data.complete
            ? "Counted from stored records, as far back as one search reads"
            : "Counted from stored records"
        }
        times={times}
        lines={lines}
        format={formatRate}
        height={140}
      />
    </>
  );
}
