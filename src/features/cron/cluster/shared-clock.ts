import type { AlarmClock } from "../../../lib/time/clock.ts";

/**
 * The time that all instances share: that of the database. Each instance knows how far its own clock is off. Timers
 * and durations use the monotonic clock, which no correction changes.
 */
export class SharedClock implements AlarmClock {
  private readonly own: AlarmClock;
  /** Added to the time of this machine, in milliseconds. */
  offset = 0;

  constructor(own: AlarmClock) {
    this.own = own;
  }

  readonly now = (): number => this.own.now() + this.offset;

  elapsed(): number {
    return this.own.elapsed();
  }

  after(milliseconds: number, callback: () => void): () => void {
    return this.own.after(milliseconds, callback);
  }
}
