/** The only way the rest of the code learns what time it is, so that a test can own time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** A clock that can also wake somebody. */
export interface AlarmClock extends Clock {
  /** Calls back once, that many milliseconds from now; returns what calls it off. It does not keep a process alive. */
  after(milliseconds: number, callback: () => void): () => void;
}

export const systemClock: AlarmClock = {
  now: Date.now,
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};
