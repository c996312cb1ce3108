import { useState } from "preact/hooks";
import type { JobDetails, RunDot } from "../../../../../src/features/cron/wire.ts";
import { TimeMarkers } from "../../../charts/time-markers.tsx";
import { formatMs } from "../../../format/numbers.ts";
import { formatMoment, formatWithin } from "../../../format/times.ts";
import { setParams } from "../../../state/address.ts";
import { useMarkersOf } from "../../../state/audit-log.ts";
import { Empty } from "../../../ui/feedback/notice.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { describeRun } from "../runs/run-strip.tsx";
import { describeTrigger, statusWords } from "../statuses.tsx";
import { createScale } from "./duration-scale.ts";

/** The duration of each run over time. Runs that get slower, or that fail at certain hours, are easy to spot. */
export function DurationScatter({ job }: { job: JobDetails }) {
  if (job.runs.length === 0) {
    return (
      <Panel title="Durations">
        <Empty icon="clock" title="No run has ended yet">
          Each run appears here as a dot, with its start time and duration.
        </Empty>
      </Panel>
    );
  }
  return (
    <Panel title="Durations" hint={describeDurations(job)}>
      <Scatter runs={job.runs} />
    </Panel>
  );
}

function describeDurations({ runs, p50_ms, p95_ms }: JobDetails): string {
  const durations =
    p50_ms === undefined || p95_ms === undefined ? "" : `, p50 ${formatMs(p50_ms)}, p95 ${formatMs(p95_ms)}`;
  return `The last ${runs.length === 1 ? "run" : `${runs.length} runs`}${durations}`;
}

function Scatter({ runs }: { runs: readonly RunDot[] }) {
  const [pointed, setPointed] = useState<RunDot | undefined>(undefined);
  const oldest = runs.at(-1)!.start_time;
  const length = Math.max(60_000, runs[0]!.start_time - oldest);
  const scale = createScale(runs.map(({ duration_ms }) => duration_ms));
  // The dots at both ends have some room.
  const ends = { from: oldest - length / 98, to: oldest + length + length / 98 };
  const markers = useMarkersOf(ends);
  const left = (time: number) => `${1 + ((time - oldest) / length) * 98}%`;
  const top = (duration: number) => `${96 - scale.place(duration) * 90}%`;
  return (
    <figure class="scatter" aria-label="Durations of the last runs; the table below has the values">
      <p class="scatter-hint hint" aria-hidden>
        {pointed
          ? `${describeRun(pointed)}, ${describeTrigger(pointed.trigger, pointed.actor)}`
          : scale.isLogarithmic
            ? "On a logarithmic scale"
            : " "}
      </p>
      <div class="scatter-plot">
        <svg aria-hidden="true" onClick={openDot} onPointerLeave={() => setPointed(undefined)}>
          {scale.ticks.map((tick) => (
            <g key={tick}>
              <line class="scatter-grid" x1="0" x2="100%" y1={top(tick)} y2={top(tick)} />
              <text x="-10" y={top(tick)} dy="4">
                {formatMs(tick)}
              </text>
            </g>
          ))}
          {[...runs].reverse().map((run) => (
            <circle
              key={run.id}
              class={`dot ${run.status}`}
              cx={left(run.start_time)}
              cy={top(run.duration_ms)}
              r="4"
              data-run={run.id}
              onPointerEnter={() => setPointed(run)}
            >
              <title>{describeRun(run)}</title>
            </circle>
          ))}
        </svg>
        <div class="scatter-markers">
          <TimeMarkers markers={markers} {...ends} />
        </div>
      </div>
      <p class="scatter-ends split hint" aria-hidden>
        <span>{formatWithin(oldest, length)}</span>
        <span>{formatWithin(oldest + length, length)}</span>
      </p>
      <DotTable runs={runs} />
    </figure>
  );
}

function openDot(event: MouseEvent): void {
  const run = (event.target as SVGElement).dataset.run;
  if (run !== undefined) setParams({ run });
}

function DotTable({ runs }: { runs: readonly RunDot[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="gantt-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="hint">As a table</summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
        <section class="chart-table-scroll chart-table" tabIndex={0} aria-label="Durations, as a table">
          <table>
            <thead>
              <tr>
                <th scope="col">Started</th>
                <th scope="col">Duration</th>
                <th scope="col">Status</th>
              </tr>
            </thead>
            <tbody>
              {runs.map(({ id, start_time, duration_ms, status }) => (
                <tr key={id}>
                  <th scope="row">{formatMoment(start_time)}</th>
                  <td>{formatMs(duration_ms)}</td>
                  <td>{statusWords[status]}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  );
}
