/** Maps durations to the axis of a scatter plot, from 0 at the bottom to 1 at the top. */
export interface DurationScale {
  place(duration: number): number;
  readonly ticks: readonly number[];
  readonly isLogarithmic: boolean;
}

/** If durations differ by more than this factor, a linear scale would flatten the short ones. */
const wide = 25;

export function createScale(durations: readonly number[]): DurationScale {
  const most = Math.max(...durations, 1);
  const least = Math.max(1, Math.min(...durations, most));
  return most / least > wide ? logarithmic(least, most) : even(most);
}

/** Readable steps, each about ten times the previous one, in whole seconds, minutes, hours and days. */
const steps = [1, 10, 100, 1_000, 10_000, 60_000, 600_000, 3_600_000, 21_600_000, 86_400_000, 864_000_000];

function logarithmic(least: number, most: number): DurationScale {
  const low = steps.findLast((step) => step <= least) ?? 1;
  const high = steps.find((step) => step >= most) ?? most;
  const length = Math.log(high / low);
  const ticks = steps.filter((step) => step >= low && step <= high);
  return {
    place: (duration) => Math.log(Math.max(duration, low) / low) / length,
    ticks,
    isLogarithmic: true,
  };
}

function even(most: number): DurationScale {
  const step = roundUp(most / 3);
  const top = Math.ceil(most / step) * step;
  const ticks = Array.from({ length: Math.round(top / step) + 1 }, (_, index) => index * step);
  return { place: (duration) => duration / top, ticks, isLogarithmic: false };
}

/** Rounds up to 1, 2, 5, 10, 20, 50… */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 5].find((factor) => factor * power >= value) ?? 10);
}
