import type { RecentRun } from "../../../../../src/features/cron/wire.ts";
import { formatMs } from "../../../format/numbers.ts";
import { formatMoment, formatRelative } from "../../../format/times.ts";
import { setParams } from "../../../state/address.ts";
import { statusWords } from "../statuses.tsx";

const slots = 30;
const slotWidth = 5;
const height = 26;
/** Minimum height, so that short runs remain visible and clickable. */
const leastHeight = 4;

/** The last runs, newest on the right. The height shows the duration, the colour the status. */
export function RunStrip({ runs, isWide = false }: { runs: readonly RecentRun[]; isWide?: boolean }) {
  if (runs.length === 0) return <span class="hint">No run yet</span>;
  const longest = Math.max(...runs.map(({ duration_ms }) => duration_ms), 1);
  const newest = runs.slice(0, slots);
  return (
    <>
      <svg
        class="run-strip"
        viewBox={`0 0 ${slots * slotWidth} ${height}`}
        preserveAspectRatio={isWide ? "none" : "xMinYMid"}
        aria-hidden="true"
        onClick={openRun}
      >
        {newest.map((run, index) => {
          // The square root keeps short runs visible next to long ones.
          const size = leastHeight + Math.sqrt(run.duration_ms / longest) * (height - leastHeight);
          const x = (slots - 1 - index) * slotWidth;
          return (
            <g key={run.id} class={`run-slot ${run.status}`} data-run={run.id}>
              <title>{describeRun(run)}</title>
              <rect class="run-hit" x={x} width={slotWidth} height={height} />
              <rect x={x + 0.5} y={height - size} width={slotWidth - 1} height={size} rx="1" />
            </g>
          );
        })}
      </svg>
      <span class="visually-hidden">{describeRuns(newest)}</span>
    </>
  );
}

/** Pointer only; the job's table lists the same runs for keyboard users. */
function openRun(event: MouseEvent): void {
  const run = (event.target as Element).closest<SVGElement>("[data-run]")?.dataset.run;
  if (run !== undefined) setParams({ run });
}

export function describeRun({ status, start_time, duration_ms }: RecentRun): string {
  return `${statusWords[status]} after ${formatMs(duration_ms)}, ${formatMoment(start_time)}`;
}

/** "28 of 30 succeeded; last failed 2 h ago" */
export function describeRuns(runs: readonly RecentRun[]): string {
  const failed = runs.filter(({ status }) => status !== "success");
  const sum = `${runs.length - failed.length} of ${runs.length} succeeded`;
  const [last] = failed;
  return last
    ? `${sum}; last ${statusWords[last.status].toLowerCase()} ${formatRelative(last.start_time)}`
    : sum;
}
