import { useComputed } from "@preact/signals";
import { formatFull, formatRelative } from "../format/times.ts";
import { now } from "../state/clock.ts";

/**
 * The current time, updated every second while the page is visible. Longer intervals are rounded up, so that no time
 * appears to be in the future.
 */
export function useNow(everyMs = 1_000): number {
  return useComputed(() => (everyMs <= 1_000 ? now.value : Math.ceil(now.value / everyMs) * everyMs)).value;
}

/** "3 min ago", updated automatically, with the full time as tooltip. */
export function Ago({ time }: { time: number }) {
  return (
    <time dateTime={new Date(time).toISOString()} title={formatFull(time)}>
      {formatRelative(time, now.value)}
    </time>
  );
}

/** A time with the given text, with the full time as tooltip. */
export function Moment({ time, children }: { time: number; children: string }) {
  return (
    <time dateTime={new Date(time).toISOString()} title={formatFull(time)}>
      {children}
    </time>
  );
}
