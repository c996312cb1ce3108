import type { AlarmClock } from "../../../lib/time/clock.ts";
import { followMs, SteadyClock } from "./steady-clock.ts";

/**
 * The time of all jobs and runs. If instances share a database, it is the time of the database: it was measured once,
 * and the monotonic clock carries it on until the next measurement. Otherwise, it is that of this machine. In both
 * cases, setting the clock of this machine does not make a tick due.
 */
export class SharedClock implements AlarmClock {
  private readonly own: AlarmClock;
  private readonly steady: SteadyClock;
  private ahead: number | undefined;

  constructor(own: AlarmClock) {
    this.own = own;
    this.steady = new SteadyClock(own);
  }

  readonly now = (): number =>
    this.ahead === undefined ? this.steady.now() : Math.floor(this.own.elapsed() + this.ahead);

  /** Follows the clock of the database, which is this far ahead of the monotonic clock. */
  follow(ahead: number): void {
    this.ahead = ahead;
  }

  /** How long it takes until this clock follows when the one that it reads is set. */
  get followMs(): number {
    return this.ahead === undefined ? followMs : 0;
  }

  /** How far this clock is ahead of that of the machine. */
  get offset(): number {
    return this.now() - this.own.now();
  }

  elapsed(): number {
    return this.own.elapsed();
  }

  after(milliseconds: number, callback: () => void): () => void {
    return this.own.after(milliseconds, callback);
  }
}
