import { useEffect, useRef } from "preact/hooks";
import { isVisible } from "./visibility.ts";

/**
 * Runs a task immediately and, with `everyMs`, again that long after each run ends, while the page is visible. A new
 * key aborts the current run and starts over.
 */
export function usePolling(
  key: string,
  everyMs: number | undefined,
  act: (signal: AbortSignal) => Promise<void>,
): void {
  const latest = useRef(act);
  latest.current = act;
  const runs = isVisible.value;
  useEffect(() => {
    if (!runs) return;
    return poll(everyMs, (signal) => latest.current(signal));
  }, [key, everyMs, runs]);
}

/** Runs a task immediately and, with `everyMs`, again that long after each run ends. Returns a function that ends this. */
export function poll(everyMs: number | undefined, act: (signal: AbortSignal) => Promise<void>): () => void {
  const leaving = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  async function turn(): Promise<void> {
    await act(leaving.signal);
    if (everyMs !== undefined && !leaving.signal.aborted) timer = setTimeout(turn, everyMs);
  }
  void turn();
  return () => {
    leaving.abort();
    clearTimeout(timer);
  };
}
