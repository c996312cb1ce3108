import { useEffect, useRef, useState } from "preact/hooks";
import { addressOf, get } from "./api.ts";
import type { LogRecord, RecordPage } from "./records.ts";

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

const pageSize = 200;
const nothing: State = { items: [], isLoading: false, isDone: false, read: 0 };

/**
 * Loads stored records page by page as the user scrolls, up to `most`. A new key starts a new search. `address` is
 * called before the first page is loaded; null disables the search.
 */
export function useRecordPages(key: string, address: () => string | null, most: number): RecordPages {
  const [state, setState] = useState<State>(nothing);
  const place = useRef({ key, address: undefined as string | null | undefined, isAsking: false });
  const leaving = useRef(new AbortController());
  useEffect(() => {
    leaving.current = new AbortController();
    place.current = { key, address: undefined, isAsking: false };
    setState(nothing);
    return () => leaving.current.abort();
  }, [key]);

  async function more(): Promise<void> {
    const { current } = place;
    if (current.isAsking || current.key !== key || state.isDone || state.items.length >= most) return;
    current.address ??= address();
    if (current.address === null) return setState({ ...nothing, isDone: true });
    current.isAsking = true;
    const { signal } = leaving.current;
    setState((before) => ({ ...before, isLoading: true, error: undefined }));
    try {
      const question = addressOf(current.address, { limit: pageSize, cursor: state.cursor });
      const { items, cursor } = await get<RecordPage>(question, {}, signal);
      if (!signal.aborted) setState((before) => addPage(before, items, cursor, most));
    } catch (error) {
      if (!signal.aborted) setState((before) => ({ ...before, isLoading: false, error: error as Error }));
    }
    current.isAsking = false;
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
