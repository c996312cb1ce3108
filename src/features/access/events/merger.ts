import { type AccessKind, accessKinds } from "../../../auth/index.ts";
import { networkOf } from "../../../lib/network.ts";
import type { AlarmClock } from "../../../lib/time/clock.ts";
import { hourMs, minuteMs } from "../../../lib/time/units.ts";
import type { CleanEvent } from "./event-text.ts";

/** A row of the access log: an event and the number of similar events within the merge window. */
export interface AccessRow extends CleanEvent {
  readonly id: string;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly count: number;
  /** Whether the row only counts the events beyond the hourly limit. */
  readonly isOverflow: boolean;
}

/** Kinds that a client without an account can cause any number of times. */
export const failureKinds = [
  "sign-in-failed",
  "lock-out",
  "access-refused",
] as const satisfies readonly AccessKind[];

export function isFailure(kind: AccessKind): boolean {
  return failureKinds.some((each) => each === kind);
}

/** Identical failures within five minutes share a row. For other kinds, the window is one minute. */
export const mergeMs = { failures: 5 * minuteMs, others: minuteMs } as const;
/** Maximum number of new rows of each kind per hour and instance. Further events are only counted. */
export const rowsPerHour = 500;
/** Maximum number of these rows from one address or IPv6 /64. Otherwise, one client could hide the others. */
export const rowsPerAddress = 50;
/** Maximum number of rows that wait for the database. Further events are only counted. */
export const mostUnwritten = 2_000;
/** Maximum number of details that are listed for merged events. */
const mostDetails = 5;

export interface MergerOptions {
  readonly clock: Pick<AlarmClock, "now" | "elapsed">;
  createId(): string;
  /** Called when a row begins. */
  onOpened(row: AccessRow): void;
  /** Called when nothing more can be merged into a row. */
  onClosed(row: AccessRow): void;
}

interface OpenRow extends AccessRow {
  lastAt: number;
  count: number;
  detail: string | null;
  readonly key: string;
  /** In the time of `elapsed`. */
  readonly closesAt: number;
  readonly details: Set<string>;
}

/**
 * Converts events to rows, in memory. Its size is limited: identical events share a row, each kind and each address has
 * an hourly limit of rows, and events beyond a limit are only counted. The counts of all rows add up to the exact
 * number of events.
 */
export interface Merger {
  add(event: CleanEvent): void;
  /** Copies of the rows that are new or have changed since they were written. */
  unwritten(): AccessRow[];
  /** Marks a copy of a row as written. */
  written(row: AccessRow): void;
  /** Closes the rows whose window is over, or all rows. Returns the number of open rows. */
  close(all?: boolean): number;
}

export function createMerger({ clock, createId, onOpened, onClosed }: MergerOptions): Merger {
  const open = new Map<string, OpenRow>();
  const unwritten = new Map<string, OpenRow>();
  /** The number of rows in this hour, by kind, and by kind and address. */
  const opened = new Map<string, number>();
  let hourBegan = clock.elapsed();

  function startHour(): void {
    if (clock.elapsed() - hourBegan < hourMs) return;
    hourBegan = clock.elapsed();
    opened.clear();
  }

  const openedIn = (key: string) => opened.get(key) ?? 0;

  function hasRoom(kind: AccessKind): boolean {
    return openedIn(kind) < rowsPerHour && unwritten.size < mostUnwritten;
  }

  function hasAddressRoom({ kind, address }: CleanEvent): boolean {
    return address === null || openedIn(`${kind} ${networkOf(address)}`) < rowsPerAddress;
  }

  function countRow({ kind, address }: CleanEvent): void {
    const keys = address === null ? [kind] : [kind, `${kind} ${networkOf(address)}`];
    for (const key of keys) opened.set(key, openedIn(key) + 1);
  }

  function findOpen(key: string): OpenRow | undefined {
    const row = open.get(key);
    if (row === undefined || row.closesAt > clock.elapsed()) return row;
    open.delete(key);
    onClosed(row);
    return undefined;
  }

  function begin(event: CleanEvent, key: string, closesAt: number, isOverflow: boolean): void {
    const now = clock.now();
    const details = new Set(event.detail === null ? [] : [event.detail]);
    const times = { firstAt: now, lastAt: now, closesAt };
    const row: OpenRow = { ...event, ...times, id: createId(), count: 1, isOverflow, key, details };
    open.set(key, row);
    unwritten.set(row.id, row);
    onOpened(row);
  }

  function merge(row: OpenRow, { detail }: CleanEvent): void {
    row.count++;
    row.lastAt = Math.max(row.lastAt, clock.now());
    if (!row.isOverflow && detail !== null) addDetail(row, detail);
    unwritten.set(row.id, row);
  }

  function addOverflow(event: CleanEvent): void {
    const key = `overflow ${event.kind}`;
    const row = findOpen(key);
    if (row) merge(row, event);
    else begin(toOverflow(event), key, hourBegan + hourMs, true);
  }

  function addAddressOverflow(event: CleanEvent): void {
    const key = `overflow ${event.kind} ${networkOf(event.address ?? "")}`;
    const row = findOpen(key);
    if (row) merge(row, event);
    else if (!hasRoom(event.kind)) addOverflow(event);
    else {
      countRow(event);
      begin(toAddressOverflow(event), key, hourBegan + hourMs, true);
    }
  }

  return {
    add(event) {
      startHour();
      const key = keyOf(event);
      const row = findOpen(key);
      if (row) return merge(row, event);
      if (!hasAddressRoom(event)) return addAddressOverflow(event);
      if (!hasRoom(event.kind)) return addOverflow(event);
      countRow(event);
      const windowMs = isFailure(event.kind) ? mergeMs.failures : mergeMs.others;
      begin(event, key, clock.elapsed() + windowMs, false);
    },
    unwritten: () => [...unwritten.values()].map(toRow),
    written({ id, count }) {
      if (unwritten.get(id)?.count === count) unwritten.delete(id);
    },
    close(all = false) {
      for (const row of open.values()) {
        if (!all && row.closesAt > clock.elapsed()) continue;
        open.delete(row.key);
        onClosed(row);
      }
      return open.size;
    },
  };
}

/** For failures, the user agent is ignored, because a client without an account can send any value. */
function keyOf({ kind, account, actor, address, agent }: CleanEvent): string {
  return JSON.stringify([kind, account, actor, address, isFailure(kind) ? null : agent]);
}

function addDetail(row: OpenRow, detail: string): void {
  if (row.details.has(detail) || row.details.size > mostDetails) return;
  row.details.add(detail);
  const listed = [...row.details].slice(0, mostDetails).join(", ");
  row.detail = row.details.size > mostDetails ? `${listed} and others` : listed;
}

function toOverflow({ kind }: CleanEvent): CleanEvent {
  const detail = `Only counted: more than ${rowsPerHour} different events of this kind within an hour`;
  return { kind, account: null, actor: null, address: null, agent: null, traceId: null, detail };
}

function toAddressOverflow(event: CleanEvent): CleanEvent {
  const detail = `Only counted: more than ${rowsPerAddress} different events of this kind from this address within an hour`;
  return { ...toOverflow(event), address: networkOf(event.address ?? ""), detail };
}

/** A copy, because the row continues to count while it is being written. */
function toRow({ key: _key, closesAt: _closesAt, details: _details, ...row }: OpenRow): AccessRow {
  return row;
}

/** Zero for every kind, so that the counters are complete from the start. */
export function zeroCounts(): Record<AccessKind, number> {
  return Object.fromEntries(accessKinds.map((kind) => [kind, 0])) as Record<AccessKind, number>;
}
