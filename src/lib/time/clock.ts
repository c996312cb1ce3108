import { traceContext } from "../trace-context.ts";

/** The source of the current time for all other code, so that tests can control it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** A clock with a monotonic time and timers. */
export interface AlarmClock extends Clock {
  /** Monotonic time in milliseconds. Only differences are meaningful. Unlike `now`, it is never adjusted. */
  elapsed(): number;
  /**
   * Calls back once after the given time. Returns a function that cancels the timer. The timer does not keep the
   * process running, and the callback does not belong to the trace context of a request.
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
