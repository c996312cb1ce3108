import { useState } from "preact/hooks";
import type { RequestSeries } from "../../../src/features/metrics/wire.ts";
import { markerKindOf } from "../data/markers.ts";
import { formatMoment } from "../format/times.ts";
import { hrefHere, hrefTo, param } from "../state/address.ts";
import { type DescribedChange, useChanges } from "../state/audit-log.ts";
import { useQuery } from "../state/query.ts";
import { chooseWindow, presets, timeWindow } from "../state/time-window.ts";
import { useArrowKeys } from "../ui/controls/arrow-keys.ts";

const contexts = [presets["1h"], presets["6h"], presets["24h"], presets["7d"], presets["30d"]];

/** The shortest usual period, ending now, that is at least four times as long as the window. */
function contextOf(from: number, to: number): { from: number; to: number } {
  const end = Math.ceil(Math.max(Date.now(), to) / 60_000) * 60_000;
  const needed = Math.max((to - from) * 4, end - from);
  const length = contexts.find((each) => each >= needed) ?? Math.max(presets["30d"], end - from);
  return { from: end - length, to: end };
}

/**
 * A longer period in one strip: request activity, changes, and the current window. Dragging selects another window; the
 * buttons next to it do the same without a pointer.
 */
export function Timeline({ isShown }: { isShown: boolean }) {
  const { from, to } = timeWindow.value;
  const context = contextOf(from, to);
  const { data } = useQuery(isShown ? "/_/_/data/requests" : null, {
    ...context,
    points: 160,
    instance: param("instance"),
  });
  // Loaded even if the strip is hidden: the charts mark them, too.
  const changes = useChanges(context);
  const [drag, setDrag] = useState<{ readonly start: number; readonly end: number } | undefined>(undefined);
  const length = context.to - context.from;
  const place = (time: number) => Math.min(100, Math.max(0, ((time - context.from) / length) * 100));
  const timeAt = (event: PointerEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    return context.from + (Math.min(Math.max(event.clientX - box.left, 0), box.width) / box.width) * length;
  };
  const shown = drag
    ? { from: Math.min(drag.start, drag.end), to: Math.max(drag.start, drag.end) }
    : { from, to };

  function finish(): void {
    if (drag && Math.abs(drag.end - drag.start) > length / 200) {
      chooseWindow({ from: Math.min(drag.start, drag.end), to: Math.max(drag.start, drag.end) });
    }
    setDrag(undefined);
  }

  if (!isShown) return null;
  return (
    <div class="timeline">
      <svg
        viewBox="0 0 100 24"
        preserveAspectRatio="none"
        aria-hidden="true"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          const time = timeAt(event);
          setDrag({ start: time, end: time });
        }}
        onPointerMove={(event) => drag && setDrag({ ...drag, end: timeAt(event) })}
        onPointerUp={finish}
        onPointerCancel={() => setDrag(undefined)}
      >
        <rect class="ground" width="100" height="24" />
        <path class="activity" d={drawActivity(data)} />
        <path class="failures" d={drawActivity(data, "status_5xx")} />
        <rect
          class="brush"
          x={place(shown.from)}
          width={Math.max(0.4, place(shown.to) - place(shown.from))}
          height="24"
        />
      </svg>
      <Markers changes={changes} place={place} />
      <span class="timeline-ends split" aria-hidden>
        <span>{formatMoment(context.from)}</span>
        <span>{formatMoment(context.to)}</span>
      </span>
    </div>
  );
}

interface MarkersProps {
  readonly changes: readonly DescribedChange[];
  /** The position of a time, in percent. */
  place(time: number): number;
}

/** The changes, as links. One tab stop; the arrow keys move between them. */
function Markers({ changes, place }: MarkersProps) {
  const group = useArrowKeys<HTMLDivElement>();
  return (
    <div role="toolbar" aria-label="Changes" ref={group}>
      {changes.toReversed().map((change) => (
        <a
          key={change.id}
          class={`marker ${markerKindOf(change) ?? "other"}`}
          style={{ left: `${place(change.at)}%` }}
          href={
            markerKindOf(change) === undefined
              ? hrefTo("config", { tab: "changes", change: change.id })
              : hrefHere({ changed: change.at })
          }
          title={`${formatMoment(change.at)}: ${change.text}`}
        >
          <span class="visually-hidden">{`${formatMoment(change.at)}: ${change.text}`}</span>
        </a>
      ))}
    </div>
  );
}

/** Bars from the bottom. The square root keeps quiet hours visible next to busy ones. */
function drawActivity(series: RequestSeries | undefined, part: "count" | "status_5xx" = "count"): string {
  if (!series || series.points.length === 0) return "";
  const most = Math.sqrt(Math.max(1, ...series.points.map(({ count }) => count)));
  const width = 100 / series.points.length;
  const bars = series.points.map((point, index) => {
    const height = (Math.sqrt(point[part]) / most) * 20;
    return height === 0
      ? ""
      : `M${(index * width).toFixed(2)} 24v${(-height).toFixed(2)}h${(width * 0.8).toFixed(2)}V24z`;
  });
  return bars.join("");
}
