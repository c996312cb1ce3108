import type { AlarmClock } from "../../../lib/time/clock.ts";

/** Smaller corrections are followed immediately: every clock drifts a little, and NTP corrects it. */
const stepMs = 1_000;

/** A set clock is followed when its new time has lasted this long. */
export const followMs = 60_000;

/**
 * The clock of this machine, except that it does not follow immediately when it is set. Until the new time has lasted
 * for a minute, the monotonic clock carries on the old one. So no tick is taken because of a time that is soon
 * corrected, and the ticks of this minute are taken when they are due.
 */
export class SteadyClock {
  private readonly own: AlarmClock;
  /** How far the clock is ahead of the monotonic one. */
  private ahead: number;
  /** A new time that has not lasted yet, and since when it has been seen. */
  private step: { readonly ahead: number; readonly since: number } | undefined;

  constructor(own: AlarmClock) {
    this.own = own;
    this.ahead = own.now() - own.elapsed();
  }

  now(): number {
    const { own } = this;
    const [wall, elapsed] = [own.now(), own.elapsed()];
    this.observe(wall - elapsed, elapsed);
    return this.step ? Math.floor(elapsed + this.ahead) : wall;
  }

  private observe(ahead: number, elapsed: number): void {
    const { step } = this;
    const isNew = (known: number) => Math.abs(ahead - known) >= stepMs;
    if (!isNew(this.ahead) || (step && !isNew(step.ahead) && elapsed - step.since >= followMs)) {
      this.ahead = ahead;
      this.step = undefined;
    } else if (!step || isNew(step.ahead)) {
      this.step = { ahead, since: elapsed };
    }
  }
}
