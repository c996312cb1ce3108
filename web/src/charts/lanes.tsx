import type { ComponentChildren } from "preact";
import type { TimeWindow } from "../state/time-window.ts";

export interface Span {
  readonly id: string;
  readonly from: number;
  /** Undefined while still in progress. */
  readonly to?: number | undefined;
  readonly look: string;
  readonly title: string;
  readonly href?: string;
}

interface LaneProps {
  readonly window: TimeWindow;
  readonly spans: readonly Span[];
  readonly children?: ComponentChildren;
}

/** Spans of time as bars on a time axis. Each bar has a label and links to its details. */
export function Lane({ window: { from, to }, spans, children }: LaneProps) {
  const place = (time: number) => Math.min(100, Math.max(0, ((time - from) / (to - from)) * 100));
  return (
    <div class="lane">
      {children}
      {spans.map((span) => {
        const left = place(span.from);
        const style = { left: `${left}%`, width: `${Math.max(0, place(span.to ?? to) - left)}%` };
        const look = `lane-bar ${span.look}`;
        return span.href === undefined ? (
          <span key={span.id} class={look} style={style} title={span.title} />
        ) : (
          <a key={span.id} class={look} style={style} title={span.title} href={span.href}>
            <span class="visually-hidden">{span.title}</span>
          </a>
        );
      })}
    </div>
  );
}

const mostRows = 3;
const rowHeight = 1.4;

/** Like `Lane`, with spans that overlap below each other. Failed ones are drawn last, so that nothing covers them. */
export function Lanes({ window: { from, to }, spans }: Pick<LaneProps, "window" | "spans">) {
  const ends: number[] = [];
  const placed = spans
    .toSorted((one, other) => one.from - other.from)
    .map((span) => {
      const free = ends.findIndex((end) => end <= span.from);
      const row = free !== -1 ? free : ends.length < mostRows ? ends.length : ends.indexOf(Math.min(...ends));
      ends[row] = Math.max(ends[row] ?? 0, span.to ?? to);
      return { span, row };
    });
  const isFailed = ({ span }: (typeof placed)[number]) => span.look !== "success" && span.look !== "running";
  const rows = Array.from({ length: Math.max(1, ends.length) }, (_, row) =>
    placed
      .filter((each) => each.row === row)
      .toSorted((one, other) => Number(isFailed(one)) - Number(isFailed(other)))
      .map(({ span }) => span),
  );
  return (
    <div class="lanes stack gap-2" style={{ minHeight: `${rowHeight}rem` }}>
      {rows.map((own, row) => (
        <Lane key={row} window={{ from, to }} spans={own} />
      ))}
    </div>
  );
}
