import { type AccessKind, accessKinds } from "../auth/index.ts";
import type { RequestEvent } from "../http/index.ts";
import type { FieldProblem } from "../lib/errors.ts";
import { refuseInvalid } from "../lib/fields.ts";
import { readWindow } from "../lib/time-window.ts";
import type { AccessFilter, Cursor } from "./queries.ts";

type Event = RequestEvent<never>;

const dayMs = 86_400_000;
const longestText = 300;
const maxLimit = 500;
const maxFile = 100_000;
const maxPoints = 500;

/** Reads the filter, which all routes of the access log accept. */
export function readFilter(e: Event, now: number): AccessFilter {
  // The end of a window is exclusive, but events of the current millisecond should be included.
  const window = readWindow((name) => e.query(name), now + 1, dayMs);
  const [account, address, instance, text] = (["account", "address", "instance", "text"] as const).map(
    (name) => readText(e, name),
  );
  return { ...window, kinds: readKinds(e), account, address, instance, text };
}

export function readPage(e: Event): { limit: number; after: Cursor | undefined } {
  return { limit: readWhole(e, "limit", { fallback: 100, most: maxLimit }), after: readCursor(e) };
}

export function readFileLimit(e: Event): number {
  return readWhole(e, "limit", { fallback: maxFile, most: maxFile });
}

export function readPoints(e: Event): number {
  return readWhole(e, "points", { fallback: 60, most: maxPoints });
}

const cursorText = /^(\d{1,15})-([a-z0-9]{1,40})$/;

export function formatCursor({ firstAt, id }: Cursor): string {
  return `${firstAt}-${id}`;
}

function readCursor(e: Event): Cursor | undefined {
  const text = e.query("cursor") || undefined;
  const [, time, id] = cursorText.exec(text ?? "") ?? [];
  const isInvalid = text !== undefined && id === undefined;
  refuseInvalid({ cursor: isInvalid ? problem("cursor", "the cursor of a previous page") : undefined });
  return id === undefined ? undefined : { firstAt: Number(time), id };
}

function readText(e: Event, name: string): string | undefined {
  // The database cannot store U+0000, so no row contains it.
  const text = e.query(name)?.replaceAll("\0", "").toWellFormed() || undefined;
  const isTooLong = text !== undefined && text.length > longestText;
  refuseInvalid({ [name]: isTooLong ? problem(name, `at most ${longestText} characters long`) : undefined });
  return text;
}

/** One kind, or several separated by commas. */
function readKinds(e: Event): AccessKind[] | undefined {
  const words = e.query("kind")?.split(",").filter(Boolean) ?? [];
  const kinds = accessKinds.filter((kind) => words.includes(kind));
  const isKnown = words.every((word) => kinds.some((kind) => kind === word));
  const expected = `one or more of ${accessKinds.join(", ")}, separated by commas`;
  refuseInvalid({ kind: isKnown ? undefined : problem("kind", expected) });
  return words.length === 0 ? undefined : kinds;
}

function readWhole(e: Event, name: string, { fallback, most }: { fallback: number; most: number }): number {
  const text = e.query(name) || String(fallback);
  const value = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  const isInvalid = value < 1 || value > most;
  refuseInvalid({ [name]: isInvalid ? problem(name, `an integer from 1 to ${most}`) : undefined });
  return value;
}

function problem(name: string, expected: string): FieldProblem {
  return { code: "invalid", message: `The value of ${name} must be ${expected}.` };
}
