import { minuteMs } from "../../../lib/time/units.ts";

/**
 * A session: views with at most 30 minutes between them. Times are milliseconds since the start of the day.
 *
 * Sessions are stored as spans instead of a count, because spans can be merged in any order. The result is the same
 * regardless of which instance writes first and how late another one is.
 */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly views: number;
}

const longestGap = 30 * minuteMs;

/** Merges two lists of sessions and combines adjacent ones. */
export function mergeSpans(one: readonly Span[], another: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of [...one, ...another].sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last === undefined || span.start - last.end > longestGap) merged.push(span);
    else {
      merged[merged.length - 1] = {
        start: last.start,
        end: Math.max(last.end, span.end),
        views: last.views + span.views,
      };
    }
  }
  return merged;
}

/** Returns the sessions for views at these times. */
export function spansOf(times: readonly number[]): Span[] {
  return mergeSpans(
    [],
    times.map((time) => ({ start: time, end: time, views: 1 })),
  );
}

export function countBounces(spans: readonly Span[]): number {
  return spans.filter(({ views }) => views === 1).length;
}

/** Compact format of start, length and views: `k5u8.0.1 mw2g.3fk.4`. */
export function formatSpans(spans: readonly Span[]): string {
  return spans
    .map(({ start, end, views }) => [start, end - start, views].map((each) => each.toString(36)).join("."))
    .join(" ");
}

export function parseSpans(text: string): Span[] {
  if (text === "") return [];
  return text.split(" ").map((piece) => {
    const [start = 0, length = 0, views = 0] = piece.split(".").map((each) => Number.parseInt(each, 36));
    return { start, end: start + length, views };
  });
}
