import type { Job, JobDetails } from "../../../../../src/features/cron/wire.ts";
import { formatCount, formatMs } from "../../../format/numbers.ts";
import { formatMoment, formatRelative } from "../../../format/times.ts";
import { hrefTo } from "../../../state/address.ts";
import { useQuery } from "../../../state/query.ts";
import { zoneName } from "../../../state/zone.ts";
import { Countdown } from "../../../ui/countdown.tsx";
import { Loaded } from "../../../ui/feedback/notice.tsx";
import { PageHead, Panel } from "../../../ui/panel.tsx";
import { Badge } from "../../../ui/status.tsx";
import { Ago, Moment } from "../../../ui/time.tsx";
import { QueuedRuns } from "../runs/queued-runs.tsx";
import { RunStrip } from "../runs/run-strip.tsx";
import { RunsTable } from "../runs/runs-table.tsx";
import { RunState } from "../statuses.tsx";
import { Gantt } from "../timeline/gantt.tsx";
import { useReload } from "../use-reload.ts";
import { formatInZone } from "../zone-times.ts";
import { DurationScatter } from "./duration-scatter.tsx";
import { DurationTrend } from "./duration-trend.tsx";
import { JobButtons } from "./job-buttons.tsx";
import { RunningState } from "./running-state.tsx";

/** One job: its details, past runs and next runs. `news` counts events on this page and triggers a reload. */
export function JobPage({ id, news }: { id: string; news: number }) {
  const query = useQuery("/_/_/data/cron/jobs/{id}", { id }, { every: 10_000 });
  useReload(query, news);
  return (
    <>
      <nav class="crumbs" aria-label="Breadcrumb">
        <a href={hrefTo("cron")}>Cron</a>
      </nav>
      {query.data === undefined && <PageHead title={id} />}
      <Loaded query={query} lines={8}>
        {(job) => <Details job={job} onChange={query.reload} />}
      </Loaded>
    </>
  );
}

function Details({ job, onChange }: { job: JobDetails; onChange(): void }) {
  return (
    <>
      <PageHead title={job.name}>
        <JobButtons job={job} onChange={onChange} isRoomy />
      </PageHead>
      {job.description && <p class="job-description quiet">{job.description}</p>}
      <div class="job-parts columns gap-11">
        <State job={job} />
        <Options job={job} />
        <NextRuns job={job} onChange={onChange} />
      </div>
      <DurationScatter job={job} />
      <Gantt jobs={[job]} only={job} />
      <RunsTable job={job} />
    </>
  );
}

function State({ job }: { job: Job }) {
  return (
    <Panel title="State">
      <p class="job-state row">
        {job.running.length > 0 ? (
          <RunningState job={job} />
        ) : job.last_status === undefined ? (
          "It has never run."
        ) : (
          <>
            <RunState status={job.last_status} /> {job.last_run !== undefined && <Ago time={job.last_run} />}
          </>
        )}
      </p>
      <RunStrip runs={job.recent} isWide />
      <dl class="facts">
        {job.p50_ms !== undefined && (
          <>
            <dt>p50</dt>
            <dd>{formatMs(job.p50_ms)}</dd>
            <dt>p95</dt>
            <dd>
              <DurationTrend job={job} />
            </dd>
          </>
        )}
        <dt>Recorded runs</dt>
        <dd>{describeKept(job)}</dd>
        <Stopped word="Paused" isSo={job.paused} time={job.paused_at} actor={job.paused_by} />
        <Stopped word="Removed" isSo={job.removed} time={job.removed_at} actor={job.removed_by} />
      </dl>
    </Panel>
  );
}

function describeKept({ runs_kept: all, failed_kept: failed }: Job): string {
  if (all === 0) return "none";
  if (failed === 0) return `${formatCount(all)}, all succeeded`;
  if (failed === all) return `${formatCount(all)}, none succeeded`;
  return `${formatCount(all)}, ${formatCount(failed)} of them unsuccessful`;
}

interface StoppedProps {
  readonly word: string;
  readonly isSo: boolean;
  readonly time: number | undefined;
  readonly actor: string | undefined;
}

function Stopped({ word, isSo, time, actor }: StoppedProps) {
  if (!isSo) return null;
  return (
    <>
      <dt>{word}</dt>
      <dd>
        {time === undefined ? "yes" : <Ago time={time} />}
        {actor && ` by ${actor}`}
      </dd>
    </>
  );
}

const overlapWords = {
  skip: "Skip if still running",
  queue: "Wait until the previous run has ended",
  allow: "Allowed",
} as const;

function Options({ job }: { job: Job }) {
  const { retries, timeout_ms, catch_up, on_interrupt, group, waiting } = job;
  return (
    <Panel title="Options">
      <dl class="facts">
        <dt>ID</dt>
        <dd>
          <code>{job.id}</code> {job.is_system && <Badge>System</Badge>}
        </dd>
        <dt>Schedule</dt>
        <dd>
          {/* A schedule that is too long for words is shown once. */}
          {job.schedule_words !== job.schedule && <div>{job.schedule_words}</div>}
          <code class="hint">{job.schedule}</code>
        </dd>
        <dt>Time zone</dt>
        <dd>{job.timezone}</dd>
        <dt>Overlap</dt>
        <dd>{overlapWords[job.overlap]}</dd>
        <dt>Retries</dt>
        <dd>{retries === 0 ? "None" : `${retries} after a failure`}</dd>
        <dt>Interrupted runs</dt>
        <dd>{on_interrupt === "retry" ? "Retried" : "Not retried"}</dd>
        <dt>Timeout</dt>
        <dd>{timeout_ms === undefined ? "None" : formatMs(timeout_ms)}</dd>
        <dt>Missed runs</dt>
        <dd>{catch_up === "once" ? "The last one runs at the next start" : "Skipped"}</dd>
        {group !== undefined && (
          <>
            <dt>Group</dt>
            <dd>{group}</dd>
          </>
        )}
        {waiting !== undefined && (
          <>
            <dt>Waiting for room</dt>
            <dd>{waiting === 1 ? "1 run" : `${waiting} runs`}</dd>
          </>
        )}
      </dl>
    </Panel>
  );
}

function NextRuns({ job, onChange }: { job: JobDetails; onChange(): void }) {
  const [next] = job.next_runs;
  const isPlanned = !job.paused && !job.removed && next !== undefined;
  return (
    <Panel title="Next runs" hint={isPlanned ? <Countdown time={next} /> : undefined}>
      <QueuedRuns runs={job.queued} onChange={onChange} />
      {job.queued.length > 0 && <h3>Scheduled</h3>}
      {job.paused && <p class="hint">It is paused. Once resumed, it runs at these times:</p>}
      {job.removed && <p class="hint">It has been removed and does not run.</p>}
      <ol class="next-runs stack gap-2">
        {job.next_runs.map((time) => (
          <li key={time} class="split">
            <Moment time={time}>{describeMoment(time)}</Moment>
            <span class="hint">{describeElsewhere(time, job.timezone)}</span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

/** With the year if it is not the current one: ten runs on 29 February take forty years. */
function describeMoment(time: number): string {
  const yearOf = (moment: number) =>
    new Intl.DateTimeFormat("en-GB", { year: "numeric", timeZone: zoneName.value }).format(moment);
  const year = yearOf(time);
  return year === yearOf(Date.now()) ? formatMoment(time) : `${formatMoment(time)}, ${year}`;
}

/** The time in the job's time zone, or the relative time if that equals the displayed time. */
function describeElsewhere(time: number, timezone: string): string {
  const there = formatInZone(time, timezone);
  return there === formatInZone(time, zoneName.value) ? formatRelative(time) : `${there} ${timezone}`;
}
