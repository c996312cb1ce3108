/** Forecast for the disk of the data folder, based on past growth. Unknown values are absent. */
export interface DiskForecast {
  /** Decrease of available bytes per day. */
  readonly growthPerDay?: number;
  readonly daysToFull?: number;
}

/** Available space and size of the disk per hour; null for hours without samples. */
export interface DiskHours {
  readonly available: readonly (number | null)[];
  readonly total: readonly (number | null)[];
}

/** Minimum period. A shorter one reflects the time of day rather than a trend. */
const leastHours = 24;
/** Minimum number of known hours. */
const leastSeen = 12;
/** Longest forecast. */
const mostDays = 3_650;

/** Linear regression over the hours in which the disk had its current size. */
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

/** Sizes are stored with seven digits, and hours are means. */
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
