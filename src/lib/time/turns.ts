import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";

export interface TurnOptions {
  /** Ends the work after the step in progress, with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Whether to pause after each step for as long as it took, so that the work takes at most half of a core. */
  readonly sharesCore?: boolean;
}

const leastPauseMs = 10;

/**
 * Does long work in short steps, until one returns false. SQLite blocks its thread and never waits for the event loop, so
 * a loop over its statements would delay everything else until it ends: requests, messages to a thread, and the pings of
 * its watchdog. Here, they get a turn after each step:
 *
 *     await inTurns(async () => (await deleteOldest(500)) === 500);
 */
export async function inTurns(
  step: () => Promise<boolean>,
  { signal, sharesCore = false }: TurnOptions = {},
): Promise<void> {
  for (;;) {
    signal?.throwIfAborted();
    const begin = performance.now();
    if (!(await step())) return;
    if (sharesCore) await delay(Math.max(leastPauseMs, performance.now() - begin), undefined, { signal });
    else await nextTurn();
  }
}

/** Does a short step for each item. */
export async function eachInTurns<Item>(
  items: readonly Item[],
  step: (item: Item) => Promise<void>,
  options?: TurnOptions,
): Promise<void> {
  const rest = items.values();
  await inTurns(async () => {
    const { value, done } = rest.next();
    if (!done) await step(value);
    return !done;
  }, options);
}
