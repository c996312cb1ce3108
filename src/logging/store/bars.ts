import { levelNames } from "../levels.ts";
import type { LevelCounts } from "./level-counts.ts";

/** A chart over time: for each step of it, how many records of each level. */
export interface Bars {
  /** Whole steps, around what was asked for; the end does not count. */
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
  /** Both ends of it lie in the same bar. */
  isOne(first: number, last: number): boolean;
  add(time: number, counts: LevelCounts): void;
  addOne(time: number, level: number): void;
  /** Those that hold a moment from the first of these up to the second. */
  list(from: number, to: number): { time: number; counts: LevelCounts }[];
}

/** So that the bars stand at times that people name, and where other charts of the same time have theirs. */
const secondsOfSteps = [
  1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, 86_400,
];
const dayMs = 86_400_000;

function chooseStep(wantedMs: number): number {
  const seconds = secondsOfSteps.find((each) => each * 1_000 >= wantedMs);
  return seconds === undefined ? Math.ceil(wantedMs / dayMs) * dayMs : seconds * 1_000;
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
