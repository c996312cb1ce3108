/** System metrics by name; unavailable metrics are absent. */
export type SystemSample = Readonly<Record<string, number>>;

/** A sample in progress. */
export type SampleValues = Record<string, number>;

/** A part of the sampler, with its state between samples. */
export interface Part {
  /** Adds its metrics. `now` is the time of the sample in milliseconds; only differences are meaningful. */
  sample(values: SampleValues, now: number): void;
  /** Measures less often between samples, or as often as before. */
  rest?(isResting: boolean): void;
  close?(): void;
}

/**
 * Adds a metric if its value is valid. Values that were not found in a file, have no previous sample or make no sense
 * are NaN, infinite or negative, so parts can calculate without checks.
 */
export function put(values: SampleValues, name: string, value: number): void {
  if (value >= 0 && value < Infinity) values[name] = value;
}

/** Increase of a counter. Returns NaN if it decreased, because its value at the reset is unknown. */
export function increase(before: number | undefined, now: number): number {
  return before !== undefined && now >= before ? now - before : NaN;
}
