import { useEffect, useRef, useState } from "preact/hooks";
import { read } from "../data/api.ts";
import { type Route, type Routes, urlOf, type WithParams } from "../data/routes.ts";
import { reconnected } from "./live.ts";
import { isLive } from "./time-window.ts";
import { isVisible } from "./visibility.ts";

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
  /** Identifies the subject, such as a filter. When it changes, the previous response is not shown any more. */
  readonly key?: string;
}

/**
 * Loads a data route, and reloads it when a parameter changes. A `null` route loads nothing.
 *
 *     const routes = useQuery("/_/_/data/routes", windowParams.value);
 */
export function useQuery<R extends Route>(
  route: R | null,
  ...[params, options = {}]: WithParams<R, [options?: QueryOptions]>
): Query<Routes[R]> {
  const url = route === null ? null : urlOf(route, params);
  const subject = `${url?.split("?", 1)[0]} ${options.key}`;
  const [state, setState] = useState<{ data?: Routes[R]; error?: Error; loaded?: string }>({});
  const [asked, askAgain] = useState(0);
  const lastSubject = useRef(subject);
  const restarts = reconnected.value;
  useTimer(options, () => askAgain((count) => count + 1));

  useEffect(() => {
    if (route === null || url === null) return;
    const leaving = new AbortController();
    // Do not show the response about another subject as the response about this one.
    if (lastSubject.current !== subject) setState({});
    lastSubject.current = subject;
    read(route, params, leaving.signal).then(
      (data) => {
        if (!leaving.signal.aborted) setState({ data, loaded: url });
      },
      (error: Error) => {
        if (!leaving.signal.aborted) setState((before) => ({ ...before, error, loaded: url }));
      },
    );
    return () => leaving.abort();
  }, [url, asked, restarts]);

  // The effect clears the state only after this render.
  const { data, error } = url !== null && lastSubject.current !== subject ? {} : state;
  return {
    data,
    error,
    isLoading: url !== null && state.loaded !== url,
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
