import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { get } from "../../data/api.ts";
import { usePolling } from "../../data/polling.ts";
import { type RecordPages, useRecordPages } from "../../data/record-pages.ts";
import { fromRecent, fromRecord, type RecentAnswer, type RequestRow } from "../../data/records.ts";
import { isSearchable, toSearchParams } from "../../query-bar/params.ts";
import type { RecordFilter } from "../../query-bar/parse.ts";
import { isLive, preset, timeWindow } from "../../state/time-window.ts";
import { matchesRest, toRecentParams } from "./matches.ts";

/** The requests of the window, newest first: those in the memory of the instance, followed by stored records. */
export interface RequestFeed {
  readonly rows: readonly RequestRow[];
  /** The number of requests that arrived while the list was held. */
  readonly fresh: number;
  readonly older: RecordPages;
  /** The instance whose memory was read. */
  readonly instance: string | undefined;
  readonly isAnswered: boolean;
  readonly error: Error | undefined;
}

interface Recent {
  readonly instance: string;
  readonly newest: number;
  readonly requests: readonly RecentAnswer[];
}

interface Head {
  readonly rows: readonly RequestRow[];
  readonly fresh: readonly RequestRow[];
  readonly instance?: string;
  readonly isAnswered: boolean;
  readonly error?: Error | undefined;
}

/** Limits of the list: for requests from memory, and for stored records. */
const mostRecent = 2_000;
export const mostOlder = 10_000;
const everyMs = 1_000;
const nothing: Head = { rows: [], fresh: [], isAnswered: false };

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
    () =>
      filter === null ? null : olderAddress(filter, { from, to: endOf(kept, isFixed ? to : Date.now()) }),
    mostOlder,
  );
  const rows = useMemo(() => joinRows(kept, older.items, from), [head.rows, older.items, from, to]);
  return {
    rows,
    fresh: head.fresh.length,
    older,
    instance: head.instance,
    isAnswered: head.isAnswered,
    error: head.error,
  };
}

function useRecent(filter: RecordFilter | null, key: string, isHeld: boolean): Head {
  const [head, setHead] = useState<Head>(nothing);
  const place = useRef({ key: "", instance: "", newest: 0 });
  const held = useRef(isHeld);
  held.current = isHeld;

  async function ask(signal: AbortSignal): Promise<void> {
    if (filter === null) return setHead(nothing);
    if (place.current.key !== key) {
      place.current = { key, instance: "", newest: 0 };
      setHead(nothing);
    }
    try {
      const answer = await askRecent(filter, place.current, signal);
      if (signal.aborted) return;
      place.current = { key, instance: answer.instance, newest: answer.newest };
      const found = answer.requests.map(fromRecent).filter((row) => matchesRest(row, filter));
      setHead((before) => addRows(before, found, answer.instance, held.current));
    } catch (error) {
      if (!signal.aborted) setHead((before) => ({ ...before, error: error as Error, isAnswered: true }));
    }
  }
  usePolling(key, isLive.value && filter !== null ? everyMs : undefined, ask);
  useEffect(() => {
    if (!isHeld) setHead((before) => ({ ...before, rows: mergeRows(before.fresh, before.rows), fresh: [] }));
  }, [isHeld]);
  return head;
}

/** Loads new requests. After a restart, or on another instance, numbering starts again, so all are loaded. */
async function askRecent(
  filter: RecordFilter,
  { instance, newest }: { instance: string; newest: number },
  signal: AbortSignal,
): Promise<Recent> {
  const ask = (after: number) =>
    get<Recent>("/_/_/data/recent", { ...toRecentParams(filter), limit: 1_000, after }, signal);
  const answer = await ask(newest);
  const goesOn = newest === 0 || (answer.instance === instance && answer.newest >= newest);
  return goesOn ? answer : ask(0);
}

function addRows(before: Head, found: readonly RequestRow[], instance: string, isHeld: boolean): Head {
  const isSame =
    found.length === 0 && before.isAnswered && before.error === undefined && before.instance === instance;
  if (isSame) return before;
  const common = { instance, isAnswered: true, error: undefined };
  // The first results are shown even if the list is held.
  if (!isHeld || !before.isAnswered) return { ...before, ...common, rows: mergeRows(found, before.rows) };
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
  return [...added, ...rows].slice(0, mostRecent);
}

/** Requests from memory, followed by stored records without duplicates. */
function joinRows(
  recent: readonly RequestRow[],
  items: readonly Parameters<typeof fromRecord>[0][],
  from: number,
): readonly RequestRow[] {
  const known = new Set(recent.map(({ trace }) => trace));
  const older = items.flatMap((record) => fromRecord(record) ?? []);
  return [...recent, ...older.filter(({ trace, time }) => time >= from && !known.has(trace))];
}

function endOf(rows: readonly RequestRow[], fallback: number): number {
  return rows.at(-1)?.time ?? fallback;
}

function olderAddress(filter: RecordFilter, window: { from: number; to: number }): string | null {
  if (!isSearchable(filter)) return null;
  const query = toSearchParams(filter);
  query.set("event", "http_request");
  query.set("from", String(window.from));
  query.set("to", String(Math.max(window.from, window.to)));
  return `/_/_/data/logs?${query}`;
}

/** Counts how often the condition ended. */
function useTurns(isSo: boolean): string {
  const turns = useRef({ isSo, count: 0 });
  if (turns.current.isSo && !isSo) turns.current.count++;
  turns.current.isSo = isSo;
  return String(turns.current.count);
}
