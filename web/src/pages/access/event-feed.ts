import { useEffect, useRef, useState } from "preact/hooks";
import type { AccessEvent, AccessPage } from "../../../../src/features/access/wire.ts";
import { get } from "../../data/api.ts";
import type { Params } from "../../state/address.ts";
import { reconnected } from "../../state/live.ts";
import { usePolling } from "../../state/polling.ts";
import { isLive, preset, timeWindow } from "../../state/time-window.ts";
import { filterParams } from "./filter-params.ts";

/** The events of the window, newest first, as far back as they are loaded. */
export interface EventFeed {
  readonly events: readonly AccessEvent[];
  readonly isLoaded: boolean;
  readonly error: Error | undefined;
  /** Whether there are earlier events than those listed. */
  readonly hasMore: boolean;
  /** Loads earlier events. */
  more(): Promise<void>;
  reload(): void;
}

interface State {
  readonly events: readonly AccessEvent[];
  readonly isLoaded: boolean;
  readonly hasMore: boolean;
  readonly error?: Error | undefined;
}

const pageSize = 50;
/** The list ends here; use a download or a narrower filter for more. */
export const mostEvents = 1_000;
const everyMs = 3_000;
const nothing: State = { events: [], isLoaded: false, hasMore: false };

export function useEventFeed(): EventFeed {
  const { from, to } = timeWindow.value;
  const filter = filterParams();
  const isFixed = preset.value === undefined || !isLive.value;
  const key = JSON.stringify([filter, isFixed ? [from, to] : preset.value]);
  const [state, setState] = useState<State>(nothing);
  const [asked, askAgain] = useState(0);
  const current = useRef(key);
  current.current = key;
  useEffect(() => setState(nothing), [key]);

  const read = (page: Params, signal?: AbortSignal) =>
    get(
      "/_/_/data/access",
      { ...filter, from, to: isFixed ? to : undefined, limit: pageSize, ...page },
      signal,
    );

  usePolling(`${key} ${asked} ${reconnected.value}`, isLive.value ? everyMs : undefined, async (signal) => {
    try {
      const page = await read({}, signal);
      if (!signal.aborted) setState((before) => addNewest(before, page));
    } catch (error) {
      if (!signal.aborted) setState((before) => ({ ...before, error: error as Error }));
    }
  });

  async function more(): Promise<void> {
    const last = state.events.at(-1);
    if (!last) return;
    try {
      const page = await read({ cursor: `${last.time}-${last.id}` });
      if (current.current === key) setState((before) => addEarlier(before, page));
    } catch (error) {
      if (current.current === key) setState((before) => ({ ...before, error: error as Error }));
    }
  }

  return {
    ...state,
    events: state.events.filter(({ time }) => time >= from),
    error: state.error,
    hasMore: state.hasMore && state.events.length < mostEvents,
    more,
    reload: () => askAgain((count) => count + 1),
  };
}

/** Reloads the first page: new events, and new counts of listed events. */
function addNewest(before: State, { events, cursor }: AccessPage): State {
  if (!before.isLoaded) return { events, isLoaded: true, hasMore: cursor !== undefined };
  const fresh = new Set(events.map(({ id }) => id));
  const others = before.events.filter(({ id }) => !fresh.has(id));
  return { ...before, events: inOrder([...events, ...others]).slice(0, mostEvents), error: undefined };
}

function addEarlier(before: State, { events, cursor }: AccessPage): State {
  const known = new Set(before.events.map(({ id }) => id));
  const earlier = events.filter(({ id }) => !known.has(id));
  return { events: inOrder([...before.events, ...earlier]), isLoaded: true, hasMore: cursor !== undefined };
}

function inOrder(events: readonly AccessEvent[]): readonly AccessEvent[] {
  return events.toSorted((one, other) => other.time - one.time || (one.id < other.id ? 1 : -1));
}
