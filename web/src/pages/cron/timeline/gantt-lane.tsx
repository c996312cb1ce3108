import { useState } from "preact/hooks";
import { formatMs, formatSpan } from "../../../format/numbers.ts";
import { formatMoment } from "../../../format/times.ts";
import { hrefTo } from "../../../state/address.ts";
import { statusWords } from "../statuses.tsx";
import type { LaneJob, Mark } from "./timeline-marks.ts";

interface GanttLaneProps {
  readonly job: LaneJob;
  readonly marks: readonly Mark[];
  readonly window: { readonly from: number; readonly to: number };
  readonly now: number;
}

/**
 * The marks of one job on the time axis. One of them is in the tab order, and the arrow keys move between them, so that
 * keyboard users can skip a long lane.
 */
export function GanttLane({ job: { id, name }, marks, window: { from, to }, now }: GanttLaneProps) {
  const [pointed, setPointed] = useState<Mark | undefined>(undefined);
  const place = (time: number) => Math.min(100, Math.max(0, ((time - from) / (to - from)) * 100));
  const inOrder = [...marks].sort((one, other) => one.from - other.from);
  const first = inOrder.findLast((mark) => mark.from <= now) ?? inOrder[0];
  return (
    <fieldset
      class="gantt-lane"
      aria-label={`${name} on the timeline; use the arrow keys to move between marks`}
      onKeyDown={move}
      onPointerLeave={() => setPointed(undefined)}
    >
      {marks.map((mark) => (
        <a
          key={mark.id}
          class={`gantt-mark lane-bar ${mark.kind} ${mark.from === mark.to ? "point" : ""}`}
          style={{ left: `${place(mark.from)}%`, width: `${place(mark.to) - place(mark.from)}%` }}
          href={hrefOf(id, mark)}
          tabIndex={mark === first ? 0 : -1}
          data-from={mark.from}
          onPointerEnter={() => setPointed(mark)}
          onFocus={() => setPointed(mark)}
          onBlur={() => setPointed(undefined)}
        >
          <span class="visually-hidden">{describeMark(mark)}</span>
        </a>
      ))}
      {pointed && <Tip text={describeMark(pointed)} at={place((pointed.from + pointed.to) / 2)} />}
    </fieldset>
  );
}

function Tip({ text, at }: { text: string; at: number }) {
  const side = at > 55 ? { right: `${100 - at}%` } : { left: `${at}%` };
  return (
    <span class="gantt-tip" style={side} aria-hidden>
      {text}
    </span>
  );
}

function move(event: KeyboardEvent): void {
  const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  const links = [...(event.currentTarget as Element).querySelectorAll<HTMLElement>("a")];
  links.sort((one, other) => Number(one.dataset.from) - Number(other.dataset.from));
  links[links.indexOf(document.activeElement as HTMLElement) + step]?.focus();
}

/** One run links to its output; several link to the job in that time window. */
function hrefOf(jobId: string, { run, kind, from, to, count }: Mark): string {
  if (run) return hrefTo("cron", { job: jobId, run: run.id });
  if (count === 1 || kind === "planned") return hrefTo("cron", { job: jobId });
  const margin = Math.max(60_000, (to - from) / 20);
  const window = { from: Math.round(from - margin), to: Math.round(to + margin) };
  return hrefTo("cron", { job: jobId, range: undefined, ...window });
}

export function describeMark({ kind, from, to, count, run, everyMs }: Mark): string {
  const [begin, end] = [formatMoment(from), formatMoment(to)];
  const when = count === 1 || begin === end ? begin : `${begin} – ${end}`;
  if (kind === "planned") {
    const pace = everyMs === undefined ? "" : `, every ${formatSpan(everyMs)}`;
    return count === 1 ? `Planned, ${when}` : `${count} runs planned${pace}, ${when}`;
  }
  if (kind === "missed") {
    return count === 1 ? `Missed: it did not run, ${when}` : `${count} ticks missed, ${when}`;
  }
  if (kind === "left-out") {
    const why = "the previous run was still in progress";
    return count === 1 ? `Skipped, ${when}: ${why}` : `${count} ticks skipped, ${when}: ${why}`;
  }
  if (kind === "overlap") return `Runs overlapped for ${formatMs(to - from)}, ${when}`;
  if (count > 1) return `${count} runs ${statusWords[kind].toLowerCase()}, ${when}`;
  const lasted = run?.end_time === undefined ? "" : ` after ${formatMs(run.end_time - run.start_time)}`;
  return `${statusWords[kind]}${lasted}, ${when}`;
}
