import { useEffect, useRef, useState } from "preact/hooks";
import type { LogRecord } from "../../../src/features/logging/wire.ts";
import { get } from "../data/api.ts";
import type { Params } from "../data/routes.ts";

/** The progress of a search through stored records. */
export interface RecordPages {
  /** Newest first. */
  readonly items: readonly LogRecord[];
  /** `waiting` for the user to scroll; `full` if the limit is reached; `done` if there are no more records. */
  readonly state: "waiting" | "loading" | "done" | "full" | "failed";
  /** The number of pages read, including empty ones. */
  readonly read: number;
  readonly error: Error | undefined;
  more(): void;
}

interface State {
  readonly items: readonly LogRecord[];
  readonly cursor?: string | undefined;
  readonly isLoading: boolean;
  readonly isDone: boolean;
  readonly read: number;
  readonly error?: Error | undefined;
}

/** A search in progress; its parameters are undefined until the first page is loaded. */
interface Place {
  readonly key: string;
  params: Params | null | undefined;
  isLoading: boolean;
}

const pageSize = 200;
const nothing: State = { items: [], isLoading: false, isDone: false, read: 0 };

/**
 * Loads stored records page by page as the user scrolls, up to `most`. A new key starts a new search. `search` is called
 * before the first page is loaded; null disables the search.
 */
export function useRecordPages(key: string, search: () => Params | null, most: number): RecordPages {
  const [state, setState] = useState<State>(nothing);
  const place = useRef<Place>({ key, params: undefined, isLoading: false });
  const leaving = useRef(new AbortController());
  useEffect(() => {
    leaving.current = new AbortController();
    place.current = { key, params: undefined, isLoading: false };
    setState(nothing);
    return () => leaving.current.abort();
  }, [key]);

  async function more(): Promise<void> {
    const { current } = place;
    if (current.isLoading || current.key !== key || state.isDone || state.items.length >= most) return;
    current.params ??= search();
    if (current.params === null) return setState({ ...nothing, isDone: true });
    current.isLoading = true;
    const { signal } = leaving.current;
    setState((before) => ({ ...before, isLoading: true, error: undefined }));
    try {
      const params = { ...current.params, limit: pageSize, cursor: state.cursor };
      const { items, cursor } = await get("/_/_/data/logs", params, signal);
      if (!signal.aborted) setState((before) => addPage(before, items, cursor, most));
    } catch (error) {
      if (!signal.aborted) setState((before) => ({ ...before, isLoading: false, error: error as Error }));
    }
    current.isLoading = false;
  }

  return {
    items: state.items,
    state: stateOf(state, most),
    read: state.read,
    error: state.error,
    more: () => void more(),
  };
}

function addPage(
  before: State,
  items: readonly LogRecord[],
  cursor: string | undefined,
  most: number,
): State {
  return {
    items: [...before.items, ...items].slice(0, most),
    cursor,
    isLoading: false,
    isDone: cursor === undefined,
    read: before.read + 1,
  };
}

function stateOf({ isLoading, isDone, items, error }: State, most: number): RecordPages["state"] {
  if (error) return "failed";
  if (isLoading) return "loading";
  if (isDone) return "done";
  return items.length >= most ? "full" : "waiting";
}
