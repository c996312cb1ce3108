/**
 * One session: views of which each came at most half an hour after the one before. Times are milliseconds within the
 * day.
 *
 * Sessions are kept as these stretches and not as a count, because stretches can be put together in any order: whichever
 * instance writes first, and however late another one is, the same sessions come out.
 */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly views: number;
}

const longestGap = 30 * 60_000;

/** The sessions of both, where those that are close enough become one. */
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

/** The sessions of views at these times. */
export function spansOf(times: readonly number[]): Span[] {
  return mergeSpans(
    [],
    times.map((time) => ({ start: time, end: time, views: 1 })),
  );
}

export function countBounces(spans: readonly Span[]): number {
  return spans.filter(({ views }) => views === 1).length;
}

/** Start, length and views, in few letters: `k5u8.0.1 mw2g.3fk.4`. */
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
