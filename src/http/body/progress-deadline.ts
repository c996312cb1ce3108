import type { AlarmClock } from "../../lib/time/clock.ts";

export interface ProgressDeadlineOptions {
  readonly clock: AlarmClock;
  readonly timeoutMs: number;
}

export interface WatchedWork {
  /** A number that changes whenever the work advances. By default, the timeout applies to the whole work. */
  progress?(): number;
  /** Creates the error for stalled work. */
  timeoutError(timeoutMs: number): Error;
}

/** Waits for work, and rejects if it stalls. */
export type ProgressDeadline = <T>(work: Promise<T>, watched: WatchedWork) => Promise<T>;

/**
 * Rejects when work makes no progress for the whole timeout. Progress is checked once per timeout, so stalled work is
 * abandoned after one to two timeouts, and a busy transfer needs one timer instead of one per chunk.
 */
export function createProgressDeadline({ clock, timeoutMs }: ProgressDeadlineOptions): ProgressDeadline {
  return (work, { progress = () => 0, timeoutError }) =>
    new Promise((resolve, reject) => {
      let seen = progress();
      let cancel = clock.after(timeoutMs, check);
      function check() {
        const now = progress();
        if (now === seen) reject(timeoutError(timeoutMs));
        else cancel = clock.after(timeoutMs, check);
        seen = now;
      }
      work.then(resolve, reject).finally(() => cancel());
    });
}
