/** Named figures; what cannot be read is absent. */
export type SystemSample = Readonly<Record<string, number>>;

/** A sample in the making. */
export type Figures = Record<string, number>;

/** One concern of the sampler, with what it must remember from one sample to the next. */
export interface Part {
  /** Adds its figures. `now` is the moment of the sample in milliseconds; only differences mean something. */
  sample(figures: Figures, now: number): void;
  close?(): void;
}

/**
 * Adds a figure, unless it is none. What was not found in a file, has no sample before it to compare with, or makes no
 * sense arrives here as NaN, infinite or negative, and so every part may calculate without asking first.
 */
export function put(figures: Figures, name: string, value: number): void {
  if (value >= 0 && value < Infinity) figures[name] = value;
}

/** By how much a counter grew. One that went backwards began anew, and nobody knows from where: NaN. */
export function increase(before: number | undefined, now: number): number {
  return before !== undefined && now >= before ? now - before : NaN;
}
