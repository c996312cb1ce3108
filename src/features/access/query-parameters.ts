import { accessKinds } from "../../auth/index.ts";
import { type QuerySource, type QueryValues, query, readQuery } from "../../http/index.ts";
import { dayMs } from "../../lib/time/units.ts";
import type { AccessFilter, Cursor } from "./queries.ts";

const maxLimit = 500;
const maxFile = 100_000;
const maxPoints = 500;

const text = query.text({ maxLength: 300 });

/** The filter, which all routes of the access log accept. */
function filterAt(now: number) {
  return {
    // The end of a window is exclusive, but events of the current millisecond should be included.
    window: query.window({ to: now + 1, from: (to) => to - dayMs }),
    kind: query.list(accessKinds),
    account: text,
    address: text,
    instance: text,
    text,
  };
}

export function readPage(
  source: QuerySource,
  now: number,
): { filter: AccessFilter; limit: number; after: Cursor | undefined } {
  const { limit, cursor, ...given } = readQuery(source, {
    ...filterAt(now),
    limit: query.int({ min: 1, max: maxLimit, default: 100 }),
    cursor: query.parsed("the cursor of a previous page", parseCursor),
  });
  return { filter: toFilter(given), limit, after: cursor };
}

export function readSummary(source: QuerySource, now: number): { filter: AccessFilter; points: number } {
  const points = query.int({ min: 1, max: maxPoints, default: 60 });
  const given = readQuery(source, { ...filterAt(now), points });
  return { filter: toFilter(given), points: given.points };
}

export function readFile(source: QuerySource, now: number): { filter: AccessFilter; limit: number } {
  const limit = query.int({ min: 1, max: maxFile, default: maxFile });
  const given = readQuery(source, { ...filterAt(now), limit });
  return { filter: toFilter(given), limit: given.limit };
}

function toFilter(given: QueryValues<ReturnType<typeof filterAt>>): AccessFilter {
  const { window, kind, account, address, instance } = given;
  return {
    ...window,
    kinds: kind,
    account: toStorable(account),
    address: toStorable(address),
    instance: toStorable(instance),
    text: toStorable(given.text),
  };
}

/** The database cannot store U+0000, so no row contains it. */
function toStorable(given: string | undefined): string | undefined {
  return given?.replaceAll("\0", "") || undefined;
}

const cursorText = /^(\d{1,15})-([a-z0-9]{1,40})$/;

export function formatCursor({ firstAt, id }: Cursor): string {
  return `${firstAt}-${id}`;
}

function parseCursor(given: string): Cursor | undefined {
  const [, time, id] = cursorText.exec(given) ?? [];
  return id === undefined ? undefined : { firstAt: Number(time), id };
}
