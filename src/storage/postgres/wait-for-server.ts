import { setTimeout as delay } from "node:timers/promises";
import { StartError } from "../../lib/errors/start-error.ts";
import { messageOf } from "../../lib/thrown.ts";
import { type AlarmClock, systemClock } from "../../lib/time/clock.ts";
import { isPassing } from "./failures.ts";

export interface WaitOptions {
  /** Time during which the server may be unreachable, in milliseconds. */
  readonly waitMs: number;
  /** Ends the wait, with the error of the last attempt. */
  readonly signal: AbortSignal;
  /** Called when the wait begins, and every five seconds. */
  onWait(state: { readonly reason: string; readonly waitedMs: number }): void;
  readonly clock?: AlarmClock;
}

const retryMs = 500;
const reportMs = 5_000;

/**
 * Opens a database, and repeats it while the server cannot be reached: it may be starting or moving to another host.
 * Other errors, such as a wrong password, are not repeated.
 */
export async function waitForServer<T>(
  open: () => Promise<T>,
  { waitMs, signal, onWait, clock = systemClock }: WaitOptions,
): Promise<T> {
  const started = clock.elapsed();
  let reported = Number.NEGATIVE_INFINITY;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      const waitedMs = Math.round(clock.elapsed() - started);
      if (!isUnreachable(error) || waitedMs >= waitMs || signal.aborted) throw error;
      if (waitedMs - reported >= reportMs) {
        onWait({ reason: messageOf(error), waitedMs });
        reported = waitedMs;
      }
      await delay(Math.min(retryMs, waitMs - waitedMs), undefined, { signal }).catch(() => {});
      if (signal.aborted) throw error;
    }
  }
}

function isUnreachable(error: unknown): boolean {
  return error instanceof StartError && error.code === "DATABASE_UNREACHABLE" && isPassing(error.cause);
}
