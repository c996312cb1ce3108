import type { Clock } from "../../lib/time/clock.ts";

/**
 * Caches counters that are full, so that a client that continues guessing is rejected without a query. After one
 * second, the database is queried again, because a sign-in on another instance may have reset the counter.
 */
export interface RecentLockOuts {
  /** When the counter's window ends, if the counter is full. */
  find(key: string): number | undefined;
  add(key: string, expires: number): void;
  remove(keys: readonly string[]): void;
}

const rememberMs = 1_000;
/** The oldest entry is dropped first, which only costs a query. */
const mostRemembered = 1_000;

export function createRecentLockOuts(clock: Clock): RecentLockOuts {
  const found = new Map<string, { at: number; expires: number }>();
  return {
    find(key) {
      const lockOut = found.get(key);
      if (!lockOut) return undefined;
      const age = clock.now() - lockOut.at;
      return age >= 0 && age < rememberMs && lockOut.expires > clock.now() ? lockOut.expires : undefined;
    },
    add(key, expires) {
      found.delete(key);
      found.set(key, { at: clock.now(), expires });
      if (found.size > mostRemembered) found.delete(found.keys().next().value!);
    },
    remove(keys) {
      for (const key of keys) found.delete(key);
    },
  };
}
