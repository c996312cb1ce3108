import type {
  JobDetails,
  MissedTick,
  PlannedBand,
  PlannedTick,
  RunBar,
  RunStatus,
  Timeline,
} from "../../../../../src/features/cron/wire.ts";

/** Computes the marks on a job's timeline. */

export type MarkKind = RunStatus | "planned" | "missed" | "left-out" | "overlap";

export interface LaneJob {
  readonly id: string;
  readonly name: string;
}

export interface Mark {
  readonly id: string;
  readonly kind: MarkKind;
  readonly from: number;
  readonly to: number;
  /** The number of runs or ticks in this mark. */
  readonly count: number;
  /** Set if the mark is a single run. */
  readonly run?: RunBar;
  readonly everyMs?: number;
}

/** Marks closer than this share of the window are merged. */
const nearest = 1 / 260;

/** The marks of each job, in paint order. */
export function toMarks(timeline: Timeline, window: { from: number; to: number }): Map<string, Mark[]> {
  const gap = (window.to - window.from) * nearest;
  const marks = new Map<string, Mark[]>();
  const add = (jobId: string, more: readonly Mark[]) => {
    const known = marks.get(jobId);
    if (known) known.push(...more);
    else if (more.length > 0) marks.set(jobId, [...more]);
  };
  for (const [jobId, planned] of Map.groupBy(timeline.planned, ({ job_id }) => job_id)) {
    add(jobId, joinNear(planned.map(toPlanned), gap));
  }
  for (const [jobId, runs] of Map.groupBy(timeline.runs, ({ job_id }) => job_id)) {
    add(jobId, runMarks(runs, timeline.now, gap));
  }
  for (const [jobId, missed] of Map.groupBy(timeline.missed, ({ job_id }) => job_id)) {
    add(jobId, joinNear(missed.map(toMissed), gap));
  }
  return marks;
}

const paintOrder: readonly MarkKind[] = ["success", "interrupted", "timeout", "failed", "running"];

/** Successful runs are painted first, so that they do not hide others. */
function runMarks(runs: readonly RunBar[], now: number, gap: number): Mark[] {
  const all = runs.map((run) => toRunMark(run, now)).sort(byBegin);
  const joined = paintOrder.flatMap((kind) =>
    joinNear(
      all.filter((mark) => mark.kind === kind),
      gap,
    ),
  );
  return [...joined, ...joinNear(overlapsOf(all), gap)];
}

function toRunMark(run: RunBar, now: number): Mark {
  const to = run.end_time ?? Math.max(now, run.start_time);
  return { id: run.id, kind: run.status, from: run.start_time, to, count: 1, run };
}

/** Periods in which a run and a previous one were both in progress. */
function overlapsOf(runs: readonly Mark[]): Mark[] {
  let busyUntil = Number.NEGATIVE_INFINITY;
  return runs.flatMap(({ id, from, to }) => {
    const until = Math.min(to, busyUntil);
    busyUntil = Math.max(to, busyUntil);
    return until > from ? [{ id: `${id} overlap`, kind: "overlap" as const, from, to: until, count: 1 }] : [];
  });
}

function toPlanned(planned: PlannedTick | PlannedBand): Mark {
  const kind = "planned";
  if ("time" in planned) {
    return { id: `planned ${planned.time}`, kind, from: planned.time, to: planned.time, count: 1 };
  }
  const { from, to, every_ms: everyMs } = planned;
  return { id: `planned ${from}`, kind, from, to, count: Math.round((to - from) / everyMs) + 1, everyMs };
}

function toMissed({ time, overlap }: MissedTick): Mark {
  const kind = overlap ? "left-out" : "missed";
  return { id: `${kind} ${time}`, kind, from: time, to: time, count: 1 };
}

function joinNear(marks: readonly Mark[], gap: number): Mark[] {
  const joined: Mark[] = [];
  for (const mark of [...marks].sort(byBegin)) {
    const last = joined.at(-1);
    if (!last || mark.kind !== last.kind || mark.from - last.to > gap) joined.push(mark);
    else joined[joined.length - 1] = join(last, mark);
  }
  return joined;
}

function join(one: Mark, other: Mark): Mark {
  const { id, kind, from } = one;
  return { id, kind, from, to: Math.max(one.to, other.to), count: one.count + other.count };
}

/** The timeline of one job, with runs that the truncated timeline of all jobs omits. */
export function ofOneJob(
  timeline: Timeline,
  job: Pick<JobDetails, "id" | "name" | "runs" | "runs_kept">,
): Timeline {
  const listed = timeline.runs.filter(({ job_id }) => job_id === job.id);
  const known = new Set(listed.map(({ id }) => id));
  const own = job.runs
    .filter(({ id }) => !known.has(id))
    .map(({ id, status, trigger, start_time, duration_ms }) => {
      const end_time = start_time + duration_ms;
      return { id, job_id: job.id, job_name: job.name, status, trigger, start_time, end_time };
    })
    .filter(({ start_time, end_time }) => end_time >= timeline.from && start_time < timeline.to);
  const isCut = job.runs_kept > job.runs.length && (job.runs.at(-1)?.start_time ?? 0) > timeline.from;
  return { ...timeline, runs: [...listed, ...own], truncated: timeline.truncated && isCut };
}

function byBegin(one: Mark, other: Mark): number {
  return one.from - other.from;
}
