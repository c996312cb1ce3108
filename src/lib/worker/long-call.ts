import type { AlarmClock } from "../time/clock.ts";

/** Much shorter than the deadline of a call. */
const waitMs = 10_000;

/** A caller repeats its call immediately, so it has given up if the result is not taken after this time. */
const keptMs = 10_000;

/**
 * A call of a thread has a deadline, and some work takes longer. This call resolves with `undefined` after a while, and the
 * work continues. The next call waits for the same work, so its caller repeats it until it has the result.
 */
export function createLongCall<Result extends object>(
  work: () => Promise<Result>,
  clock: AlarmClock,
): () => Promise<Result | undefined> {
  let running: Promise<Result> | undefined;

  function begin(): Promise<Result> {
    const begun = work();
    // Not earlier: the next call must get the result of work that ends between two calls.
    const forgetLater = () => void clock.after(keptMs, () => forget(begun));
    begun.then(forgetLater, forgetLater);
    return begun;
  }

  function forget(ended: Promise<Result>): void {
    if (running === ended) running = undefined;
  }

  return async () => {
    running ??= begin();
    const current = running;
    const done = current.then(
      () => true,
      () => true,
    );
    const late = Promise.withResolvers<false>();
    const cancel = clock.after(waitMs, () => late.resolve(false));
    const isDone = await Promise.race([done, late.promise]);
    cancel();
    if (!isDone) return undefined;
    forget(current);
    return current;
  };
}
