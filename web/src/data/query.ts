import { useEffect, useRef, useState } from "preact/hooks";
import type { Params } from "../state/address.ts";
import { reconnected } from "../state/live.ts";
import { isLive } from "../state/time-window.ts";
import { isVisible } from "../state/visibility.ts";
import { addressOf, get } from "./api.ts";

export interface Query<T> {
  /** The latest response; remains available during a reload. */
  readonly data: T | undefined;
  readonly error: Error | undefined;
  /** Whether the response to the current path and parameters is still pending. */
  readonly isLoading: boolean;
  reload(): void;
}

export interface QueryOptions {
  /** Reload interval in milliseconds, while the page is live and visible. */
  readonly every?: number;
  /** Reloads even if the page is paused, for data that the user is waiting for. */
  readonly evenPaused?: boolean;
}

/**
 * Loads a data route, and reloads it when the path or a parameter changes. A `null` path loads nothing.
 *
 *     const routes = useQuery<RouteTable>("/_/_/data/routes", windowParams.value);
 */
export function useQuery<T>(path: string | null, params: Params = {}, options: QueryOptions = {}): Query<T> {
  const address = path === null ? null : addressOf(path, params);
  const [state, setState] = useState<{ data?: T; error?: Error; answered?: string }>({});
  const [asked, askAgain] = useState(0);
  const lastPath = useRef(path);
  const restarts = reconnected.value;
  useTimer(options, () => askAgain((count) => count + 1));

  useEffect(() => {
    if (address === null) return;
    const leaving = new AbortController();
    // Do not show the response of another path as the response of this one.
    if (lastPath.current !== path) setState({});
    lastPath.current = path;
    get<T>(address, {}, leaving.signal).then(
      (data) => {
        if (!leaving.signal.aborted) setState({ data, answered: address });
      },
      (error: Error) => {
        if (!leaving.signal.aborted) setState((before) => ({ ...before, error, answered: address }));
      },
    );
    return () => leaving.abort();
  }, [address, asked, restarts]);

  return {
    data: state.data,
    error: state.error,
    isLoading: address !== null && state.answered !== address,
    reload: () => askAgain((count) => count + 1),
  };
}

function useTimer({ every, evenPaused = false }: QueryOptions, tick: () => void): void {
  const runs = every !== undefined && isVisible.value && (evenPaused || isLive.value);
  useEffect(() => {
    if (!runs) return;
    const timer = setInterval(tick, every);
    return () => clearInterval(timer);
  }, [runs, every]);
}
