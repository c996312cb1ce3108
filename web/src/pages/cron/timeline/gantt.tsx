import { useMemo, useState } from "preact/hooks";
import type { JobDetails, Timeline } from "../../../../../src/features/cron/wire.ts";
import { TimeMarkers } from "../../../charts/time-markers.tsx";
import { formatWhole } from "../../../format/numbers.ts";
import { formatMoment } from "../../../format/times.ts";
import { hrefTo, param, setParams } from "../../../state/address.ts";
import { useMarkersOf } from "../../../state/audit-log.ts";
import { useQuery } from "../../../state/query.ts";
import { preset, type TimeWindow, timeWindow } from "../../../state/time-window.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { Choice } from "../../../ui/controls/choice.tsx";
import { Empty, Loaded } from "../../../ui/feedback/notice.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { axisTicks } from "./gantt-axis.ts";
import { GanttLane } from "./gantt-lane.tsx";
import { type LaneJob, type Mark, ofOneJob, toMarks } from "./timeline-marks.ts";
import { TimelineTable } from "./timeline-table.tsx";

const hour = 3_600_000;
const spans = { "1h": hour, "6h": 6 * hour, "24h": 24 * hour, "7d": 7 * 24 * hour } as const;
type SpanName = keyof typeof spans;

const spanOptions = [
  { value: "1h", label: "±1 h", title: "An hour back and an hour ahead" },
  { value: "6h", label: "±6 h", title: "Six hours back and six hours ahead" },
  { value: "24h", label: "±24 h", title: "A day back and a day ahead" },
  { value: "7d", label: "±7 d", title: "A week back and a week ahead" },
] as const;

/** The minimum interval between redraws. */
const stepMs = 15_000;
const lanesAtFirst = 12;

interface GanttProps {
  readonly jobs: readonly LaneJob[];
  /** Set on the page of a single job. */
  readonly only?: JobDetails;
}

/** Past and planned runs by job on one time axis. */
export function Gantt({ jobs, only }: GanttProps) {
  const isFixed = preset.value === undefined;
  const name = (param("span") ?? "24h") as SpanName;
  const span = spans[name] ?? spans["24h"];
  const middle = Math.floor(timeWindow.value.to / stepMs) * stepMs;
  const window = isFixed ? timeWindow.value : { from: middle - span, to: middle + span };
  const query = useQuery("/_/_/data/cron/timeline", { from: window.from, to: window.to });
  return (
    <Panel
      title="Timeline"
      hint={
        isFixed
          ? `${formatMoment(window.from)} – ${formatMoment(window.to)}, the window selected above`
          : "Past and planned runs"
      }
      actions={
        <Choice
          name="How far back and ahead"
          value={isFixed ? undefined : name}
          options={spanOptions}
          onChoose={(value) =>
            setParams({ span: value === "24h" ? undefined : value, from: undefined, to: undefined })
          }
        />
      }
    >
      <Loaded query={query} lines={6}>
        {(timeline) => <Lanes timeline={only ? ofOneJob(timeline, only) : timeline} jobs={jobs} />}
      </Loaded>
    </Panel>
  );
}

function Lanes({ timeline, jobs }: { timeline: Timeline; jobs: readonly LaneJob[] }) {
  const [showsAll, setShowsAll] = useState(false);
  const window = { from: timeline.from, to: timeline.to };
  const marks = useMemo(() => toMarks(timeline, window), [timeline]);
  const lanes = jobs.filter(({ id }) => marks.has(id));
  if (lanes.length === 0) {
    return (
      <Empty icon="cron" title="No past or planned runs in this period">
        Past runs and planned ones appear here. A paused job has no planned runs.
      </Empty>
    );
  }
  const shown = showsAll ? lanes : lanes.slice(0, lanesAtFirst);
  return (
    <figure class="gantt stack gap-8" aria-label="Runs and planned runs of each job">
      <div class="gantt-body">
        <Overlay timeline={timeline} />
        <Markers window={window} />
        <ul>
          {shown.map((job) => (
            <Row key={job.id} job={job} marks={marks.get(job.id)!} timeline={timeline} />
          ))}
        </ul>
      </div>
      {lanes.length > lanesAtFirst && (
        <Button onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? "Show fewer" : `Show all ${lanes.length} jobs`}
        </Button>
      )}
      <Legend />
      <Cut timeline={timeline} />
      <TimelineTable jobs={lanes} marks={marks} now={timeline.now} />
    </figure>
  );
}

interface RowProps {
  readonly job: LaneJob;
  readonly marks: readonly Mark[];
  readonly timeline: Timeline;
}

function Row({ job, marks, timeline }: RowProps) {
  return (
    <li class="gantt-row">
      <a class="gantt-name plain-link ellipsis" href={hrefTo("cron", { job: job.id })} title={job.name}>
        {job.name}
      </a>
      <GanttLane job={job} marks={marks} window={timeline} now={timeline.now} />
    </li>
  );
}

/** Releases, restarts, crashes and setting changes. */
function Markers({ window }: { window: TimeWindow }) {
  return (
    <div class="gantt-markers">
      <TimeMarkers markers={useMarkersOf(window)} {...window} />
    </div>
  );
}

/** The hour lines and the current time. */
function Overlay({ timeline }: { timeline: Timeline }) {
  const { from, to, now } = timeline;
  const place = (time: number) => `${((time - from) / (to - from)) * 100}%`;
  return (
    <div class="gantt-overlay" aria-hidden>
      {axisTicks(from, to).map(({ time, label, isMidnight }) => (
        <span key={time} class={`gantt-tick ${isMidnight ? "midnight" : ""}`} style={{ left: place(time) }}>
          {label}
        </span>
      ))}
      {timeline.truncated && <span class="gantt-unknown" style={{ width: place(oldestOf(timeline)) }} />}
      {now < to && <span class="gantt-future" style={{ left: place(Math.max(now, from)) }} />}
      {now >= from && now <= to && <span class="gantt-now" style={{ left: place(now) }} />}
    </div>
  );
}

/** Explains which runs are not drawn, so that an empty area is not mistaken for an idle period. */
function Cut({ timeline }: { timeline: Timeline }) {
  const { truncated, planned_truncated, missed_truncated, runs } = timeline;
  if (!truncated && !planned_truncated && !missed_truncated) return null;
  const what = truncated
    ? `Only the newest ${formatWhole(runs.length)} runs are drawn, since ${formatMoment(oldestOf(timeline))}.`
    : "Some planned or missed runs are not drawn.";
  return <p class="hint">{what} Choose a shorter span to see the rest.</p>;
}

function oldestOf({ runs, to }: Timeline): number {
  return runs.reduce((oldest, { start_time }) => Math.min(oldest, start_time), to);
}

const legend = [
  { kind: "success", word: "Succeeded" },
  { kind: "failed", word: "Failed" },
  { kind: "interrupted", word: "Interrupted" },
  { kind: "running", word: "Running" },
  { kind: "planned", word: "Planned" },
  { kind: "missed", word: "Missed" },
  { kind: "left-out", word: "Skipped or overlapping" },
] as const;

function Legend() {
  return (
    <ul class="legend cluster gap-11 hint">
      {legend.map(({ kind, word }) => (
        <li key={kind} class="row inline gap-4">
          <span class={`gantt-mark lane-bar ${kind}`} />
          {word}
        </li>
      ))}
    </ul>
  );
}
