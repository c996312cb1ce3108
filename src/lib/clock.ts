/** The only way the rest of the code learns what time it is, so that a test can own time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: Date.now };
