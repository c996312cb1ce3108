import type { AlarmClock } from "../../lib/time/clock.ts";

/** The requests of one key in its current window. */
export interface Tally {
  readonly key: string;
  count: number;
  /** When the window ends, on the monotonic clock. */
  endsAt: number;
  /** The requests in `count` that other instances do not know yet. */
  unshared: number;
}

/** Requests of one key, to be added to those of other instances. */
export interface UnsharedCount {
  readonly tally: Tally;
  readonly count: number;
  /** The time until the window ends. */
  readonly remainingMs: number;
}

/** The requests of one key on all instances. */
export interface SharedCount {
  readonly count: number;
  readonly remainingMs: number;
}

export interface RateCounterOptions {
  readonly windowMs: number;
  /** The maximum number of keys in memory. Beyond it, the key whose window ends first is dropped. */
  readonly maxKeys: number;
  readonly clock: AlarmClock;
}

/**
 * Counts requests by key. The window of a key begins with its first request. All windows have the same length, so the
 * map is ordered by their end, and expired keys are found at its beginning.
 */
export class RateCounter {
  readonly windowMs: number;
  private readonly maxKeys: number;
  private readonly clock: AlarmClock;
  private readonly tallies = new Map<string, Tally>();
  private readonly unshared = new Set<Tally>();
  private onUnshared: (() => void) | undefined;

  constructor({ windowMs, maxKeys, clock }: RateCounterOptions) {
    this.windowMs = windowMs;
    this.maxKeys = maxKeys;
    this.clock = clock;
  }

  /** The number of keys in memory. */
  get size(): number {
    return this.tallies.size;
  }

  /** The tally of a key in its current window. */
  find(key: string, now: number): Tally {
    const known = this.tallies.get(key);
    if (known !== undefined) {
      if (known.endsAt > now) return known;
      this.remove(known);
    }
    this.makeRoom(now);
    const own = copyText(key);
    const tally: Tally = { key: own, count: 0, endsAt: now + this.windowMs, unshared: 0 };
    this.tallies.set(own, tally);
    return tally;
  }

  /** Counts a request. */
  add(tally: Tally): void {
    tally.count++;
    if (this.onUnshared === undefined) return;
    tally.unshared++;
    if (tally.unshared > 1) return;
    this.unshared.add(tally);
    if (this.unshared.size === 1) this.onUnshared();
  }

  /** From now on, counts are kept for other instances. Calls back when there are some and were none. */
  share(onUnshared: () => void): void {
    this.onUnshared = onUnshared;
  }

  get hasUnshared(): boolean {
    return this.unshared.size > 0;
  }

  /** Takes counts for other instances. They are given back with `merge` or `restore`. */
  takeUnshared(max: number): UnsharedCount[] {
    const now = this.clock.elapsed();
    const taken: UnsharedCount[] = [];
    for (const tally of this.unshared) {
      if (taken.length === max) break;
      this.unshared.delete(tally);
      const { unshared: count, endsAt } = tally;
      tally.unshared = 0;
      if (endsAt > now) taken.push({ tally, count, remainingMs: Math.ceil(endsAt - now) });
    }
    return taken;
  }

  /** Sets the count of all instances. Requests since `takeUnshared` are added to it. */
  merge(tally: Tally, { count, remainingMs }: SharedCount): void {
    tally.count = count + tally.unshared;
    tally.endsAt = this.clock.elapsed() + Math.min(remainingMs, this.windowMs);
  }

  /** Takes a count back that could not be shared. */
  restore({ tally, count }: UnsharedCount): void {
    if (this.tallies.get(tally.key) !== tally) return;
    tally.unshared += count;
    this.unshared.add(tally);
  }

  /** Removes at most two expired keys, so that a single request never pays for many. */
  private makeRoom(now: number): void {
    let left = 2;
    for (const tally of this.tallies.values()) {
      const isNeeded = tally.endsAt > now && this.tallies.size < this.maxKeys;
      if (isNeeded || left === 0) return;
      this.remove(tally);
      left--;
    }
  }

  private remove(tally: Tally): void {
    this.tallies.delete(tally.key);
    this.unshared.delete(tally);
  }
}

/** A part of a text keeps the whole text in memory, such as a header of several kilobytes. */
function copyText(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}
