import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { RecentLimits } from "../../../../src/features/metrics/wire.ts";
import { get, HttpError } from "../../data/api.ts";
import { fromRecent, fromRecord, type RequestRow } from "../../data/request-rows.ts";
import type { Params } from "../../data/routes.ts";
import { isSearchable, toSearchParams } from "../../query-bar/params.ts";
import type { RecordFilter } from "../../query-bar/parse.ts";
import { usePolling } from "../../state/polling.ts";
import { type RecordPages, useRecordPages } from "../../state/record-pages.ts";
import { isLive, preset, timeWindow } from "../../state/time-window.ts";
import { matchesRest, toRecentParams } from "./matches.ts";

/** The requests of the window, newest first: those that the instances remember, and stored records. */
export interface RequestFeed {
  readonly rows: readonly RequestRow[];
  /** The number of requests that arrived while the list was held. */
  readonly fresh: number;
  readonly older: RecordPages;
  readonly isLoaded: boolean;
  readonly error: Error | undefined;
}

interface Head {
  readonly rows: readonly RequestRow[];
  readonly fresh: readonly RequestRow[];
  readonly isLoaded: boolean;
  readonly error?: Error | undefined;
}

/** Limits of the list: for requests from memory, and for stored records. */
const mostRecent = 2_000;
const mostKept: RecentLimits["kept"] = 1_000;
export const mostOlder = 10_000;
const everyMs = 1_000;
const nothing: Head = { rows: [], fresh: [], isLoaded: false };

/** Loads the requests that match a filter. A held list does not change. A null filter loads nothing. */
export function useRequestFeed(filter: RecordFilter | null, isHeld: boolean): RequestFeed {
  const { from, to } = timeWindow.value;
  const isFixed = preset.value === undefined;
  const key = JSON.stringify([filter, isFixed ? [from, to] : preset.value]);
  const head = useRecent(filter, key, isHeld);
  // Returning to the top reloads the stored pages, and so does dropping the oldest requests.
  const turn = useTurns(isHeld) + (head.rows.length >= mostRecent ? "-full" : "");
  const kept = head.rows.filter(({ time }) => time >= from && (!isFixed || time <= to));
  const older = useRecordPages(
    `${key} ${turn}`,
    () => filter && olderSearch(filter, { from, to: endOf(kept, isFixed ? to : Date.now()) }),
    mostOlder,
  );
  const rows = useMemo(() => joinRows(kept, older.items, from), [head.rows, older.items, from, to]);
  return {
    rows,
    fresh: head.fresh.length,
    older,
    isLoaded: head.isLoaded,
    error: head.error,
  };
}

function useRecent(filter: RecordFilter | null, key: string, isHeld: boolean): Head {
  const [head, setHead] = useState<Head>(nothing);
  const place = useRef<{ key: string; cursor?: string }>({ key: "" });
  const held = useRef(isHeld);
  held.current = isHeld;

  async function ask(signal: AbortSignal): Promise<void> {
    if (filter === null) return setHead(nothing);
    if (place.current.key !== key) {
      place.current = { key };
      setHead(nothing);
    }
    try {
      const params = { ...toRecentParams(filter), limit: mostKept, cursor: place.current.cursor };
      const response = await get("/_/_/data/recent", params, signal);
      if (signal.aborted) return;
      place.current = { key, cursor: response.cursor };
      const found = response.requests.map(fromRecent).filter((row) => matchesRest(row, filter));
      setHead((before) => addRows(before, found, held.current));
    } catch (error) {
      if (signal.aborted) return;
      // An instance of another version may not understand the cursor.
      if (error instanceof HttpError && error.status < 500) place.current = { key };
      setHead((before) => ({ ...before, error: error as Error, isLoaded: true }));
    }
  }
  usePolling(key, isLive.value && filter !== null ? everyMs : undefined, ask);
  useEffect(() => {
    if (!isHeld) setHead((before) => ({ ...before, rows: mergeRows(before.fresh, before.rows), fresh: [] }));
  }, [isHeld]);
  return head;
}

function addRows(before: Head, found: readonly RequestRow[], isHeld: boolean): Head {
  const isSame = found.length === 0 && before.isLoaded && before.error === undefined;
  if (isSame) return before;
  const common = { isLoaded: true, error: undefined };
  // The first results are shown even if the list is held.
  if (!isHeld || !before.isLoaded) return { ...before, ...common, rows: mergeRows(found, before.rows) };
  const shown = new Set(before.rows.map(({ trace }) => trace));
  const fresh = mergeRows(
    found.filter(({ trace }) => !shown.has(trace)),
    before.fresh,
  );
  return { ...before, ...common, fresh };
}

function mergeRows(newer: readonly RequestRow[], rows: readonly RequestRow[]): readonly RequestRow[] {
  if (newer.length === 0) return rows;
  const known = new Set(rows.map(({ trace }) => trace));
  const added = newer.filter(({ trace }) => !known.has(trace));
  // Requests of other instances arrive a few seconds later.
  return byEnd([...added, ...rows]).slice(0, mostRecent);
}

const byEnd = (rows: readonly RequestRow[]) => rows.toSorted((one, other) => other.time - one.time);

/** Remembered requests and stored records without duplicates. */
function joinRows(
  recent: readonly RequestRow[],
  items: readonly Parameters<typeof fromRecord>[0][],
  from: number,
): readonly RequestRow[] {
  const known = new Set(recent.map(({ trace }) => trace));
  const older = items.flatMap((record) => fromRecord(record) ?? []);
  return byEnd([...recent, ...older.filter(({ trace, time }) => time >= from && !known.has(trace))]);
}

/** From this time on, the remembered requests are complete: a busy instance remembers a shorter time than others. */
function endOf(rows: readonly RequestRow[], fallback: number): number {
  const oldest = new Map(rows.map(({ instance, time }) => [instance, time]));
  return oldest.size === 0 ? fallback : Math.max(...oldest.values());
}

function olderSearch(filter: RecordFilter, { from, to }: { from: number; to: number }): Params | null {
  if (!isSearchable(filter)) return null;
  return { ...toSearchParams(filter), event: "http_request", from, to: Math.max(from, to) };
}

/** Counts how often the condition ended. */
function useTurns(isSo: boolean): string {
  const turns = useRef({ isSo, count: 0 });
  if (turns.current.isSo && !isSo) turns.current.count++;
  turns.current.isSo = isSo;
  return String(turns.current.count);
}
