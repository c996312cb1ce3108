import { performance } from "node:perf_hooks";
import type { AlarmClock } from "../../../lib/time/clock.ts";

/** Timers can fire slightly early, before the second is over. */
const afterTheSecond = 2;
/** The process rests after this time without activity. */
const quietMs = 10_000;
/** After work during a rest that nobody announced, such as a timer of the application, it does not rest for this long. */
const busyMs = 3_600_000;

export interface PaceOptions {
  readonly clock: AlarmClock;
  /** Length of the intervals while the process rests. */
  readonly restSeconds: number;
  /** A block of the event loop from this duration on is a stall. */
  readonly stallMs: number;
  /** Ends an interval. Returns whether something happened in it. */
  turn(interval: PacedInterval): boolean;
  /** Called after each interval, except the one that `wake` ends. */
  afterTurn(): void;
  onRest(isResting: boolean): void;
  /** How long this thread has worked, in milliseconds. Default: what Node measures. */
  activeMs?(): number;
}

export interface PacedInterval {
  /** Its first second, since the epoch. */
  readonly time: number;
  /** How many seconds it stands for. */
  readonly seconds: number;
}

/**
 * Divides the time into seconds. While nothing happens and nobody looks, the process rests: the intervals are longer, so
 * that an idle process does nothing every second. Whoever begins something wakes it first.
 */
export class Pace {
  private readonly options: PaceOptions;
  private beganAt: number;
  private isResting = false;
  private restsFrom = 0;
  private activeBefore = 0;
  private stopTimer: (() => void) | undefined;

  constructor(options: PaceOptions) {
    this.options = options;
    this.beganAt = options.clock.now();
  }

  get isRunning(): boolean {
    return this.stopTimer !== undefined;
  }

  start(): void {
    this.beganAt = this.options.clock.now();
    this.disturb();
    this.schedule();
  }

  stop(): void {
    this.stopTimer?.();
    this.stopTimer = undefined;
  }

  /** Ends the current interval and begins the next one. Returns whether something happened in it. */
  turn(): boolean {
    const now = this.options.clock.now();
    const time = toSeconds(this.beganAt);
    // A machine that slept has recorded nothing meanwhile.
    const rested = this.isResting ? Math.min(toSeconds(now) - time, this.options.restSeconds) : 1;
    this.beganAt = now;
    return this.options.turn({ time, seconds: Math.max(1, rested) });
  }

  /** Ends a rest. Must be called before anything happens. */
  wake(): void {
    if (!this.isResting) return;
    this.stop();
    this.canRest(true);
    // What happens now does not belong to the interval that ends.
    if (toSeconds(this.options.clock.now()) > toSeconds(this.beganAt)) this.turn();
    this.setResting(false);
    this.schedule();
  }

  private schedule(): void {
    const { clock, restSeconds } = this.options;
    const seconds = this.isResting ? restSeconds : 1;
    const untilNext = seconds * 1_000 + afterTheSecond - (clock.now() % 1_000);
    this.stopTimer = clock.after(untilNext, () => {
      const hasHappened = this.turn();
      this.options.afterTurn();
      this.setResting(this.canRest(hasHappened));
      this.schedule();
    });
  }

  private setResting(isResting: boolean): void {
    if (isResting === this.isResting) return;
    this.isResting = isResting;
    this.options.onRest(isResting);
  }

  /** Nobody looks for stalls during a rest, so a process that worked for as long as a stall does not rest again soon. */
  private canRest(hasHappened: boolean): boolean {
    const { clock, stallMs, activeMs = readActiveMs } = this.options;
    const active = activeMs();
    const isBusy = active - this.activeBefore >= stallMs;
    this.activeBefore = active;
    if (hasHappened || isBusy) this.disturb();
    if (isBusy && this.isResting) this.restsFrom = clock.elapsed() + busyMs;
    return clock.elapsed() >= this.restsFrom;
  }

  private disturb(): void {
    this.restsFrom = Math.max(this.restsFrom, this.options.clock.elapsed() + quietMs);
  }
}

const toSeconds = (milliseconds: number) => Math.floor(milliseconds / 1_000);
const readActiveMs = (): number => performance.eventLoopUtilization().active;
