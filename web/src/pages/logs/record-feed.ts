import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { LogRecord, Recording } from "../../../../src/features/logging/wire.ts";
import { get } from "../../data/api.ts";
import type { Params } from "../../data/routes.ts";
import { toSearchParams } from "../../query-bar/params.ts";
import type { RecordFilter } from "../../query-bar/parse.ts";
import { type NamedRecord, nameRecords } from "../../records/named-record.ts";
import { usePolling } from "../../state/polling.ts";
import { type RecordPages, useRecordPages } from "../../state/record-pages.ts";
import { isLive, preset, timeWindow } from "../../state/time-window.ts";

/** The records of the window, newest first. */
export interface RecordFeed {
  readonly records: readonly NamedRecord[];
  /** The number of records that arrived while the list was held. */
  readonly fresh: number;
  readonly older: RecordPages;
  readonly recording: Recording | undefined;
  readonly isLoaded: boolean;
  readonly error: Error | undefined;
}

interface Head {
  /** All records from `since` on. */
  readonly items: readonly LogRecord[];
  readonly since: number;
  readonly recording?: Recording;
  readonly isLoaded: boolean;
  readonly error?: Error | undefined;
}

export const mostOlder = 10_000;
/** More than usually arrive between two requests. If there are more, the list starts anew. */
const recordsPerPage = 500;
const everyMs = 2_000;
/** Records are stored with a short delay, which differs between instances. */
const overlapMs = 5_000;
const nothing: Head = { items: [], since: 0, isLoaded: false };

/** Loads the records that match a filter. A held list does not change. A null filter loads nothing. */
export function useRecordFeed(filter: RecordFilter | null, isHeld: boolean): RecordFeed {
  const { from, to } = timeWindow.value;
  const isFixed = preset.value === undefined;
  const key = JSON.stringify([filter, isFixed ? [from, to] : preset.value]);
  const search = filter && toSearchParams(filter);
  const head = useNewest(search, key, { from, to: isFixed ? to : undefined });
  const shown = useHeld(head, isHeld);
  // The stored pages start where the newest records end. If that point moves, they are loaded anew.
  const older = useRecordPages(
    `${key} ${shown.since}`,
    () => (search && shown.since > from ? { ...search, from, to: shown.since - 1 } : null),
    mostOlder,
  );
  const records = useMemo(
    () => nameRecords([...shown.items, ...older.items].filter(({ time }) => Date.parse(time) >= from)),
    [shown.items, older.items, from],
  );
  return {
    records,
    fresh: countNewer(head, shown),
    older,
    recording: head.recording,
    isLoaded: head.isLoaded,
    error: head.error,
  };
}

/** Freezes the records while the list is held. */
function useHeld(head: Head, isHeld: boolean): Head {
  const held = useRef(head);
  // The first results of a new search are shown even if the list is held.
  if (!isHeld || !held.current.isLoaded || !head.isLoaded) held.current = head;
  return held.current;
}

/** Both ends are inclusive; without `to`, the span is open. */
interface Span {
  readonly from: number;
  readonly to: number | undefined;
}

function useNewest(search: Params | null, key: string, span: Span): Head {
  const [head, setHead] = useState<Head>(nothing);
  const latest = useRef({ key: "", head: nothing });
  async function ask(signal: AbortSignal): Promise<void> {
    if (latest.current.key !== key) latest.current = { key, head: nothing };
    if (search === null) return setHead(nothing);
    try {
      const next = await readNewest(search, latest.current.head, span, signal);
      if (signal.aborted) return;
      latest.current = { key, head: next };
      setHead(next);
    } catch (error) {
      if (!signal.aborted) setHead((before) => ({ ...before, error: error as Error, isLoaded: true }));
    }
  }
  // Do not show the results of another search as the results of this one.
  useEffect(() => setHead(nothing), [key]);
  usePolling(key, isLive.value && search !== null ? everyMs : undefined, ask);
  return head;
}

/** Reloads the records since shortly before the newest known record, and replaces that part. */
async function readNewest(search: Params, before: Head, span: Span, signal: AbortSignal): Promise<Head> {
  const newest = before.items[0] ? Date.parse(before.items[0].time) : before.since;
  const from = before.isLoaded ? Math.max(before.since, newest - overlapMs) : span.from;
  const page = await get("/_/_/data/logs", { ...search, from, to: span.to, limit: recordsPerPage }, signal);
  const { items, cursor, recording } = page;
  const common = { recording, isLoaded: true };
  if (cursor !== undefined) return { ...common, ...beginWith(items, span.to) };
  if (!before.isLoaded) return { ...common, items, since: from };
  const all = [...items, ...before.items.filter(({ time }) => Date.parse(time) < from)];
  const isSame = all.length === before.items.length && toText(all[0]) === toText(before.items[0]);
  const isRecording =
    before.recording?.level === recording.level && before.recording.sample === recording.sample;
  if (isSame && isRecording && !before.error) return before;
  return { ...common, ...trim(all, before.since) };
}

const toText = (record: LogRecord | undefined) => JSON.stringify(record);

/** Starts with an incomplete page. More records may have the timestamp of the last one, so the page starts after it. */
function beginWith(items: readonly LogRecord[], end: number | undefined): Pick<Head, "items" | "since"> {
  const last = items.at(-1);
  const since = last ? Date.parse(last.time) + 1 : (end ?? Date.now() - overlapMs) + 1;
  return { items: items.filter(({ time }) => Date.parse(time) >= since), since };
}

function countNewer(head: Head, shown: Head): number {
  if (head === shown) return 0;
  const newest = shown.items[0] ? Date.parse(shown.items[0].time) : 0;
  return head.items.filter(({ time }) => Date.parse(time) > newest).length;
}

const mostNewest = 2_000;

/** Limits the records in memory after hours of live updates; removed ones can be loaded from storage again. */
function trim(items: readonly LogRecord[], since: number): { items: readonly LogRecord[]; since: number } {
  if (items.length <= mostNewest) return { items, since };
  const cut = Date.parse(items[mostNewest / 2]!.time);
  return { items: items.filter(({ time }) => Date.parse(time) > cut), since: cut + 1 };
}
