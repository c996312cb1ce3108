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
