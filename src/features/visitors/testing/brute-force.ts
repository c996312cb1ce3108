import { dayMs, hourMs, minuteMs } from "../../../lib/time/units.ts";
import type { PageView } from "../messages.ts";

/** The result for a visitor of a day, computed from all views. */
export interface CountedVisitor {
  readonly sessions: number;
  readonly bounces: number;
  readonly entry: string;
  readonly referrer: string;
  readonly agent: string;
  readonly hours: ReadonlySet<number>;
  readonly views: number;
}

/** Counts in a simple and slow way, for comparison. */
export function countVisitors(views: readonly PageView[]): CountedVisitor[] {
  const byVisitor = Object.groupBy(views, ({ ip, agent, host }) => JSON.stringify([ip, agent, host]));
  return Object.values(byVisitor).map((seen) => countVisitor(seen!));
}

function countVisitor(seen: readonly PageView[]): CountedVisitor {
  const sorted = seen.toSorted((one, another) => one.time - another.time);
  const lengths: number[] = [];
  for (const [index, { time }] of sorted.entries()) {
    const before = sorted[index - 1];
    if (before === undefined || time - before.time > 30 * minuteMs) lengths.push(1);
    else lengths[lengths.length - 1]!++;
  }
  const first = sorted[0]!;
  return {
    sessions: lengths.length,
    bounces: lengths.filter((length) => length === 1).length,
    entry: first.path,
    referrer: first.referrer === "" ? "(direct)" : first.referrer,
    agent: first.agent,
    hours: new Set(sorted.map(({ time }) => Math.floor((time % dayMs) / hourMs))),
    views: sorted.length,
  };
}

/** Number of occurrences of each name, like the summary's lists: most frequent first, then by name. */
export function countNames(names: readonly string[]): [name: string, count: number][] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([a, one], [b, another]) => another - one || (a < b ? -1 : 1));
}
