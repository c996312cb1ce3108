import { dayMs, hourMs } from "../../../lib/time/units.ts";
import type { SeriesPoint } from "../messages.ts";

/** Views and visitors over time, one point per hour or per day. */
export interface Series {
  readonly points: readonly SeriesPoint[];
  /** Adds to the points of the day's hours. */
  addHours(field: "views" | "visitors", day: number, sums: Float64Array): void;
  addVisitors(day: number, count: number): void;
}

interface SeriesOptions {
  readonly from: number;
  readonly to: number;
  readonly grain: "hour" | "day";
  readonly knowsVisits: boolean;
}

export function createSeries({ from, to, grain, knowsVisits }: SeriesOptions): Series {
  const step = grain === "hour" ? hourMs : dayMs;
  const first = Math.floor(from / step);
  const count = to > from ? Math.ceil(to / step) - first : 0;
  const points = Array.from({ length: count }, (_, index): SeriesPoint => {
    const time = (first + index) * step;
    return { time, views: 0, ...(knowsVisits && { visitors: 0 }) };
  });
  const add = (field: "views" | "visitors", time: number, sum: number) => {
    const point = points[Math.floor(time / step) - first];
    if (point !== undefined) point[field]! += sum;
  };

  return {
    points,
    addHours(field, day, sums) {
      for (const [hour, sum] of sums.entries()) add(field, day * dayMs + hour * hourMs, sum);
    },
    addVisitors: (day, sum) => add("visitors", day * dayMs, sum),
  };
}
