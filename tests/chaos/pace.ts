/** Measures how long this process had to wait for its turn. On a busy machine, others wait as long. */
export interface Pace {
  readonly longestWaitMs: number;
  end(): void;
}

const tickMs = 50;

export function watchPace(): Pace {
  let last = performance.now();
  let longest = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last - tickMs);
    last = now;
  }, tickMs);
  return {
    get longestWaitMs() {
      return longest;
    },
    end: () => clearInterval(timer),
  };
}
