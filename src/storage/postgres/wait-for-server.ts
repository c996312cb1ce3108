import { setTimeout as delay } from "node:timers/promises";
import { type AlarmClock, systemClock } from "../../lib/time/clock.ts";
import { toOutage } from "./outage.ts";

export interface WaitOptions {
  /** Time from the first failure during which the server may be unreachable, in milliseconds. */
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
 * Runs a step that needs the server, and repeats it while the server cannot be reached: it may be starting or moving to
 * another host. Other errors, such as a wrong password, are not repeated.
 */
export async function waitForServer<T>(
  step: () => Promise<T>,
  { waitMs, signal, onWait, clock = systemClock }: WaitOptions,
): Promise<T> {
  let failedAt: number | undefined;
  let reported = Number.NEGATIVE_INFINITY;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      const outage = toOutage(error);
      if (!outage) throw error;
      failedAt ??= clock.elapsed();
      const waitedMs = Math.round(clock.elapsed() - failedAt);
      if (waitedMs >= waitMs || signal.aborted) throw outage;
      if (waitedMs - reported >= reportMs) {
        onWait({ reason: outage.message, waitedMs });
        reported = waitedMs;
      }
      await delay(Math.min(retryMs, waitMs - waitedMs), undefined, { signal }).catch(() => {});
      if (signal.aborted) throw outage;
    }
  }
}
