/** How the disk of the data folder will fare if things go on as they did. Absent is what nobody can tell. */
export interface DiskForecast {
  /** By how many bytes a day less is left. */
  readonly growthPerDay?: number;
  readonly daysToFull?: number;
}

/** What was left of the disk and how large it was, hour by hour; null where nothing was seen. */
export interface DiskHours {
  readonly available: readonly (number | null)[];
  readonly total: readonly (number | null)[];
}

/** A shorter time says more about the hour of the day than about the disk. */
const leastHours = 24;
/** So many of them have to be known. */
const leastSeen = 12;
/** Further ahead nothing is foretold. */
const mostDays = 3_650;

/** A straight line through the hours in which the disk was as large as it is now. */
export function forecastDisk({ available, total }: DiskHours): DiskForecast {
  const size = total.findLast((value) => value !== null);
  const points = available.flatMap((left, hour) =>
    left !== null && size && isClose(total[hour], size) ? [{ hour, left }] : [],
  );
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < leastSeen || last.hour - first.hour < leastHours) return {};
  const growthPerDay = -24 * slopeOf(points);
  const daysToFull = last.left / growthPerDay;
  if (!(growthPerDay > 0)) return {};
  return { growthPerDay: Math.round(growthPerDay), ...(daysToFull <= mostDays && { daysToFull }) };
}

/** Sizes are kept with seven digits, and hours are means. */
function isClose(value: number | null | undefined, size: number): boolean {
  return value !== null && value !== undefined && Math.abs(value / size - 1) < 0.001;
}

/** Least squares. */
function slopeOf(points: readonly { hour: number; left: number }[]): number {
  const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const hour = meanOf(points.map((point) => point.hour));
  const left = meanOf(points.map((point) => point.left));
  const together = points.reduce((sum, point) => sum + (point.hour - hour) * (point.left - left), 0);
  return together / points.reduce((sum, point) => sum + (point.hour - hour) ** 2, 0);
}
