import type { AlarmClock } from "../time/clock.ts";

/** Much shorter than the deadline of a call. */
const waitMs = 10_000;

/**
 * A call of a thread has a deadline, and some work takes longer. This call resolves with `undefined` after a while, and the
 * work continues. The next call waits for the same work, so its caller repeats it until it has the result.
 */
export function createLongCall<Result extends object>(
  work: () => Promise<Result>,
  clock: AlarmClock,
): () => Promise<Result | undefined> {
  let running: Promise<Result> | undefined;

  async function take(done: Promise<Result>): Promise<Result> {
    try {
      return await done;
    } finally {
      // Not earlier: the next call must get the result of work that ends between two calls.
      running = undefined;
    }
  }

  return async () => {
    running ??= work();
    const done = running.then(
      () => true,
      () => true,
    );
    const late = Promise.withResolvers<false>();
    const cancel = clock.after(waitMs, () => late.resolve(false));
    const isDone = await Promise.race([done, late.promise]);
    cancel();
    return isDone ? take(running) : undefined;
  };
}
