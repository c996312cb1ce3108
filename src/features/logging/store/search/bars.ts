import { chooseStep } from "../../../../lib/time/time-steps.ts";
import { levelNames } from "../../levels.ts";
import type { LevelCounts } from "../level-counts.ts";

/** A chart over time: the number of records of each level per step. */
export interface Bars {
  /** The queried period, extended to whole steps; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
  /** Whether both times are in the same bar. */
  isOne(first: number, last: number): boolean;
  add(time: number, counts: LevelCounts): void;
  addOne(time: number, level: number): void;
  /** The bars that overlap a period, from `from` up to `to`. */
  list(from: number, to: number): { time: number; counts: LevelCounts }[];
}

export function createBars(window: { from: number; to: number; points: number }): Bars {
  const stepMs = chooseStep((window.to - window.from) / window.points);
  const from = Math.floor(window.from / stepMs) * stepMs;
  const to = Math.ceil(window.to / stepMs) * stepMs;
  const width = levelNames.length;
  const counts = new Float64Array(((to - from) / stepMs) * width);
  const barOf = (time: number) => Math.floor((time - from) / stepMs);

  return {
    from,
    to,
    stepMs,
    isOne: (first, last) => barOf(first) === barOf(last),
    add(time, some) {
      const start = barOf(time) * width;
      for (let level = 0; level < width; level++) counts[start + level]! += some[level]!;
    },
    addOne(time, level) {
      counts[barOf(time) * width + level]! += 1;
    },
    list(first, end) {
      const bars = [];
      for (let bar = barOf(Math.max(first, from)); from + bar * stepMs < Math.min(end, to); bar++)
        bars.push({
          time: from + bar * stepMs,
          counts: [...counts.subarray(bar * width, (bar + 1) * width)],
        });
      return bars;
    },
  };
}
