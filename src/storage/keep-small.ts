import type { AlarmClock } from "../lib/time/clock.ts";
import { inTurns } from "../lib/time/turns.ts";
import type { Database } from "./database.ts";

const everyMs = 60_000;

/**
 * Returns the space that deletions have freed to the file system, in short steps with pauses. Started by the thread that
 * writes the file, so that it never waits for the lock of another one. `onEnd` is called each time. Returns a function
 * that ends it.
 */
export function keepSmall(
  database: Pick<Database, "release">,
  clock: AlarmClock,
  onEnd = () => {},
): () => Promise<void> {
  const closing = new AbortController();
  const { signal } = closing;
  let cancel = () => {};
  let work: Promise<void> = Promise.resolve();

  function schedule(): void {
    cancel = clock.after(everyMs, () => {
      work = release().then(() => {
        if (signal.aborted) return;
        onEnd();
        schedule();
      });
    });
  }

  /** A fault is reported by the writes of the same file. */
  const release = () => inTurns(database.release, { signal, sharesCore: true }).catch(() => {});

  schedule();
  return () => {
    closing.abort();
    cancel();
    return work;
  };
}
