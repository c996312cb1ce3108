import { useMemo } from "preact/hooks";
import type { Stall } from "../../../../src/features/metrics/wire/stalls.ts";
import type { RequestSeries, SystemSeries } from "../../../../src/features/metrics/wire.ts";
import type { ChartLine } from "../../charts/chart.ts";
import { Lanes, type Span } from "../../charts/lanes.tsx";
import { classLines, latencyHint, latencyLines, timesOf } from "../../charts/request-lines.ts";
import { TimeChart } from "../../charts/time-chart.tsx";
import { formatMs, formatPercent, formatRate } from "../../format/numbers.ts";
import { hrefTo } from "../../state/address.ts";
import { useQuery } from "../../state/query.ts";
import { roundWindow, timeWindow } from "../../state/time-window.ts";
import { useArrowKeys } from "../../ui/controls/arrow-keys.ts";
import { Panel } from "../../ui/panel.tsx";
import { StallLane } from "./stalls.tsx";
import { systemLine } from "./stats.ts";

interface ChartsProps {
  readonly requests: RequestSeries | undefined;
  readonly system: SystemSeries | undefined;
  readonly stalls: readonly Stall[];
}

/** Requests, latency and system metrics on one time axis, with stalls and job runs below. */
export function Charts({ requests, system, stalls }: ChartsProps) {
  const times = useMemo(() => (requests ? timesOf(requests, requests.points.length) : []), [requests]);
  const rates = useMemo(() => classLines(requests), [requests]);
  const latencies = useMemo(() => latencyLines(requests), [requests]);
  const machine = useMemo(() => machineLines(system), [system]);
  const systemTimes = useMemo(
    () => (system ? timesOf(system, machine[0]?.values.length ?? 0) : []),
    [system, machine],
  );
  const common = { sync: "overview", height: 138 };
  return (
    <Panel title="Activity" class="gap-11">
      <TimeChart
        {...common}
        title="Requests per second"
        times={times}
        lines={rates}
        format={formatRate}
        empty="No requests in this window"
        isStacked
      />
      <TimeChart
        {...common}
        title="Latency"
        isDuration
        hint={latencyHint(requests)}
        times={times}
        lines={latencies}
        format={formatMs}
        empty="No requests in this window"
      />
      <TimeChart
        {...common}
        title="CPU and event loop"
        times={systemTimes}
        lines={machine}
        format={formatPercent}
      />
      <StallLane stalls={stalls} />
      <CronLane />
    </Panel>
  );
}

function machineLines(series: SystemSeries | undefined): ChartLine[] {
  return [
    { label: "Process", colour: "teal", values: systemLine(series, "process.cpu_ratio", "sum") },
    { label: "Machine", colour: "grey", values: systemLine(series, "cpu.ratio", "worst"), isDashed: true },
    {
      label: "Loop delay p99",
      colour: "violet",
      values: systemLine(series, "loop.delay_p99_ms", "worst"),
      right: { format: formatMs },
    },
  ];
}

/** One tab stop, because there can be hundreds of runs. */
function RunLinks({ spans }: { spans: readonly Span[] }) {
  const group = useArrowKeys<HTMLDivElement>();
  return (
    <div role="toolbar" aria-label="Runs" ref={group}>
      <Lanes window={timeWindow.value} spans={spans} />
    </div>
  );
}

function CronLane() {
  const { from, to } = timeWindow.value;
  const { data } = useQuery("/_/_/data/cron/timeline", { ...roundWindow({ from, to }) });
  const spans = (data?.runs ?? []).map(
    (run): Span => ({
      id: run.id,
      from: run.start_time,
      to: run.end_time,
      look: run.status,
      title: `${run.job_name}: ${run.status}${run.end_time ? ` after ${formatMs(run.end_time - run.start_time)}` : ""}`,
      href: hrefTo("cron", { job: run.job_id, run: run.id }),
    }),
  );
  return (
    <figure class="cron-lane stack gap-4" aria-label="Job runs">
      <figcaption class="strong">Jobs</figcaption>
      {spans.length === 0 ? <p class="hint">No job ran in this window.</p> : <RunLinks spans={spans} />}
    </figure>
  );
}
