import { useEffect, useState } from "preact/hooks";
import { formatFull, formatRelative } from "../format/times.ts";
import { isVisible } from "../state/visibility.ts";

/** The moment, anew every second while somebody looks. */
export function useNow(everyMs = 1_000): number {
  const [now, setNow] = useState(Date.now());
  const runs = isVisible.value;
  useEffect(() => {
    if (!runs) return;
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [runs, everyMs]);
  return now;
}

/** "3 min ago", which goes on by itself, with the full time for whoever points at it. */
export function Ago({ time }: { time: number }) {
  const now = useNow();
  return (
    <time dateTime={new Date(time).toISOString()} title={formatFull(time)}>
      {formatRelative(time, now)}
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
