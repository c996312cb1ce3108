import { useComputed } from "@preact/signals";
import { formatFull, formatRelative } from "../format/times.ts";
import { now } from "../state/clock.ts";

/** The moment, anew every second while somebody looks; a longer step is rounded up, so that nothing seems to lie ahead. */
export function useNow(everyMs = 1_000): number {
  return useComputed(() => (everyMs <= 1_000 ? now.value : Math.ceil(now.value / everyMs) * everyMs)).value;
}

/** "3 min ago", which goes on by itself, with the full time for whoever points at it. */
export function Ago({ time }: { time: number }) {
  return (
    <time dateTime={new Date(time).toISOString()} title={formatFull(time)}>
      {formatRelative(time, now.value)}
    </time>
  );
}

/** A moment in the given words, with the full time for whoever points at it. */
export function Moment({ time, children }: { time: number; children: string }) {
  return (
    <time dateTime={new Date(time).toISOString()} title={formatFull(time)}>
      {children}
    </time>
  );
}
