import type { UnsharedCount } from "../../http/index.ts";
import type { AlarmClock } from "../../lib/time/clock.ts";
import { minuteMs } from "../../lib/time/units.ts";
import type { Count, CountStore } from "./count-store.ts";
import { type NamedLimiter, toStoredKey } from "./named-limiters.ts";

export interface ExchangeOptions {
  readonly store: CountStore;
  readonly clock: AlarmClock;
  readonly limiters: readonly NamedLimiter[];
  /** Called when the counts cannot be shared, and with `undefined` when they can again. */
  onProblem(error: unknown): void;
}

/** Shares the counts of this instance with the others. */
export interface Exchange {
  /** Shares pending counts once more, and stops. */
  close(): Promise<void>;
}

/** How long counts are collected before they are shared. */
const collectMs = 250;
const retryMs = 5_000;
/** Keys per statement. More keys wait for the next one. */
const maxKeys = 1_000;
const purgeEveryMs = minuteMs;

interface Sent {
  readonly limiter: NamedLimiter;
  readonly unshared: UnsharedCount;
}

/**
 * Requests are counted in memory, and never wait for the database. After a request was counted, its count is added to
 * the database together with others, and the sum of all instances comes back. Without requests, there are no
 * statements. While the database is unavailable, each instance counts alone.
 */
export function startExchange({ store, clock, limiters, onProblem }: ExchangeOptions): Exchange {
  let cancelTimer: (() => void) | undefined;
  let running: Promise<void> | undefined;
  let isFailing = false;
  let retriesAt = 0;
  let isClosed = false;
  let purgesAt = clock.elapsed() + purgeEveryMs;

  function schedule(): void {
    if (isClosed || running || cancelTimer) return;
    cancelTimer = clock.after(Math.max(collectMs, retriesAt - clock.elapsed()), () => {
      cancelTimer = undefined;
      running = exchange().finally(() => {
        running = undefined;
        if (limiters.some(({ counter }) => counter.hasUnshared)) schedule();
      });
    });
  }

  async function exchange(): Promise<void> {
    const sent = takeAll();
    if (sent.size === 0) return;
    try {
      await share(sent);
      if (isFailing) onProblem(undefined);
      isFailing = false;
    } catch (error) {
      for (const { limiter, unshared } of sent.values()) limiter.counter.restore(unshared);
      if (!isFailing) onProblem(error);
      isFailing = true;
      retriesAt = clock.elapsed() + retryMs;
    }
  }

  /** The counts to share, by their keys in the database. */
  function takeAll(): Map<string, Sent> {
    const sent = new Map<string, Sent>();
    for (const limiter of limiters) {
      for (const unshared of limiter.counter.takeUnshared(maxKeys - sent.size)) {
        sent.set(toStoredKey(limiter, unshared.tally.key), { limiter, unshared });
      }
    }
    return sent;
  }

  async function share(sent: ReadonlyMap<string, Sent>): Promise<void> {
    const counts = [...sent].map(
      ([key, { unshared }]): Count => ({
        key,
        count: unshared.count,
        remainingMs: unshared.remainingMs,
      }),
    );
    for (const { key, ...shared } of await store.add(counts)) {
      const known = sent.get(key);
      known?.limiter.counter.merge(known.unshared.tally, shared);
    }
    await purge();
  }

  async function purge(): Promise<void> {
    const now = clock.elapsed();
    if (now < purgesAt) return;
    purgesAt = now + purgeEveryMs;
    // The counts have been shared. A failure is retried a minute later.
    if (await store.purge().catch(() => false)) purgesAt = now;
  }

  for (const { counter } of limiters) counter.share(schedule);
  return {
    async close() {
      isClosed = true;
      cancelTimer?.();
      await running;
      if (!isFailing) await exchange();
    },
  };
}
