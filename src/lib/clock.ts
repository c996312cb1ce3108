import { traceContext } from "./trace-context.ts";

/** The only way the rest of the code learns what time it is, so that a test can own time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** A clock that can also measure and wake. */
export interface AlarmClock extends Clock {
  /** Milliseconds since some moment; only differences mean something. Unlike `now` it is never put forward or back. */
  elapsed(): number;
  /**
   * Calls back once, that many milliseconds from now; returns what calls it off. It does not keep a process alive, and
   * what it calls belongs to nobody's request.
   */
  after(milliseconds: number, callback: () => void): () => void;
}

export const systemClock: AlarmClock = {
  now: Date.now,
  elapsed: () => performance.now(),
  after(milliseconds, callback) {
    const timer = traceContext.exit(() => setTimeout(callback, milliseconds).unref());
    return () => clearTimeout(timer);
  },
};
