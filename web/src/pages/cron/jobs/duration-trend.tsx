import type { Job } from "../../../../../src/features/cron/wire.ts";
import { formatMs } from "../../../format/numbers.ts";
import { Icon } from "../../../ui/icon.tsx";

/** Smaller differences, and those of a few runs, are mostly noise. */
const noticeableMs = 50;
const fewestRuns = 15;

/** The 95th percentile of the duration, and its trend. */
export function DurationTrend({ job }: { job: Job }) {
  if (job.p95_ms === undefined) return <span class="quiet">–</span>;
  return (
    <span class="trend stack gap-0">
      <b
        class="medium"
        title={job.p50_ms === undefined ? undefined : `Half of the runs take ${formatMs(job.p50_ms)} or less`}
      >
        {formatMs(job.p95_ms)}
      </b>
      <Trend job={job} />
    </span>
  );
}

function Trend({ job: { trend, p95_ms = 0, recent } }: { job: Job }) {
  if (trend === undefined || recent.length < fewestRuns) return null;
  const title = "The newest third of the last runs, compared with the oldest";
  const isSlower = trend >= 1.25;
  const difference = Math.abs(p95_ms - p95_ms / trend);
  if ((!isSlower && trend > 0.8) || difference < noticeableMs) {
    return (
      <span class="trend small quiet" title={title}>
        steady
      </span>
    );
  }
  const share = Math.round(Math.abs(trend - 1) * 100);
  return (
    <span class={`trend row inline gap-2 small ${isSlower ? "warn slower" : "good"}`} title={title}>
      <Icon name="down" />
      {isSlower ? "slower" : "faster"} {share > 900 ? `×${Math.round(trend)}` : `${share} %`}
    </span>
  );
}
