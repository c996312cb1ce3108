import type { AlarmClock } from "../time/clock.ts";

interface Alarm {
  readonly at: number;
  readonly callback: () => void;
}

/**
 * A clock that only the test moves. As on a real machine, timers count time that passes, and putting the clock
 * forward or back is something they do not notice.
 */
export class FakeClock implements AlarmClock {
  private passed = 0;
  private wall: number;
  private readonly alarms = new Set<Alarm>();

  constructor(start: number | string) {
    this.wall = typeof start === "number" ? start : Date.parse(start);
  }

  readonly now = (): number => this.wall;

  elapsed(): number {
    return this.passed;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const alarm = { at: this.passed + milliseconds, callback };
    this.alarms.add(alarm);
    return () => this.alarms.delete(alarm);
  }

  /** Advances the time and fires every timer at its time. */
  advance(milliseconds: number): void {
    const end = this.passed + milliseconds;
    for (let alarm = this.first(end); alarm; alarm = this.first(end)) {
      this.alarms.delete(alarm);
      this.pass(Math.max(0, alarm.at - this.passed));
      alarm.callback();
    }
    this.pass(end - this.passed);
  }

  /** Like `advance`, but waits for the callbacks at each step. */
  async elapse(milliseconds: number, step = 1_000): Promise<void> {
    for (let left = milliseconds; left > 0; left -= step) {
      this.advance(Math.min(step, left));
      await settle();
    }
  }

  /** Sets the clock forward or back. */
  jump(milliseconds: number): void {
    this.wall += milliseconds;
  }

  /** Lets time pass in which the machine sleeps: no timer fires. */
  suspend(milliseconds: number): void {
    this.pass(milliseconds);
  }

  private pass(milliseconds: number): void {
    this.passed += milliseconds;
    this.wall += milliseconds;
  }

  private first(end: number): Alarm | undefined {
    let first: Alarm | undefined;
    for (const alarm of this.alarms) if (alarm.at <= end && (!first || alarm.at < first.at)) first = alarm;
    return first;
  }
}

/** Runs pending callbacks: a few turns of the event loop, as many as an SQLite query takes. */
export async function settle(turns = 5): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}
