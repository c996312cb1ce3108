import { useEffect, useRef } from "preact/hooks";
import { isVisible } from "../state/visibility.ts";

/**
 * Does something at once and then again and again while it is wanted and seen, each time a while after the last has
 * ended. Whenever the key changes it begins anew, and what is under way is called off.
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
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function turn(): Promise<void> {
      await latest.current(leaving.signal);
      if (everyMs !== undefined && !leaving.signal.aborted) timer = setTimeout(turn, everyMs);
    }
    void turn();
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [key, everyMs, runs]);
}
