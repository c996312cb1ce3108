/** Requests per second over the last ten seconds. */
export interface Rate {
  count(): void;
  /** Called when a new second begins. Returns the mean of the previous seconds, including the current request. */
  at(second: number): number;
}

const windowSeconds = 10;

export function createRate(): Rate {
  // Counts of the seconds before the current one, newest first.
  let past: number[] = [];
  let current = 0;
  let counted = 0;
  return {
    count() {
      counted++;
    },
    at(second) {
      const silent =
        current === 0 ? [] : new Array(Math.min(windowSeconds, Math.max(0, second - current - 1))).fill(0);
      if (current !== 0) past = [...silent, counted, ...past].slice(0, windowSeconds);
      current = second;
      counted = 0;
      const total = past.reduce((sum, value) => sum + value, 1);
      return Number((total / Math.max(1, past.length)).toFixed(2));
    },
  };
}
