import type { AlarmClock } from "../time/clock.ts";

/**
 * Finds out that a thread no longer processes messages. It costs nothing while nothing is pending, and a thread that
 * works for long without blocking responds to the ping.
 */
export interface Watchdog {
  /** Call after sending a message. */
  watch(): void;
  /** Call for every message from the thread. */
  hear(): void;
  stop(): void;
}

export interface WatchdogOptions {
  readonly clock: AlarmClock;
  /** A thread that is silent for this long, and at most half of it longer, hangs. */
  readonly hangMs: number;
  isPending(): boolean;
  ping(): void;
  onHang(): void;
}

export function createWatchdog({ clock, hangMs, isPending, ping, onHang }: WatchdogOptions): Watchdog {
  let cancel: (() => void) | undefined;
  let hasHeard = false;
  let hasPinged = false;
  let isStopped = false;

  function watch(): void {
    if (isStopped) return;
    cancel ??= clock.after(hangMs / 2, check);
  }

  function check(): void {
    cancel = undefined;
    if (hasHeard) {
      hasHeard = false;
      if (isPending()) watch();
    } else if (hasPinged) {
      // If this thread was blocked itself, the pong is still in its queue, which is read before the immediate.
      setImmediate(() => {
        if (isStopped) return;
        if (hasHeard) watch();
        else onHang();
      });
    } else {
      hasPinged = true;
      ping();
      watch();
    }
  }

  return {
    watch,
    hear() {
      hasHeard = true;
      hasPinged = false;
    },
    stop() {
      isStopped = true;
      cancel?.();
    },
  };
}
