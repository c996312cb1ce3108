import type { FieldProblem } from "../../../lib/errors/errors.ts";
import { dayMs, minuteMs } from "../../../lib/time/units.ts";
import { INVALID_TIMEZONE } from "../errors.ts";
import { suggestZones, toIanaName } from "./timezone-names.ts";

/** A period with a constant UTC offset. It ends where the next one starts. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
  /** Wall time minus UTC, in milliseconds. */
  readonly offset: number;
}

/** A valid time zone and its offsets. */
export interface Timezone {
  readonly name: string;
  /** The period that contains a time. Adjacent periods can have the same offset. */
  stretchAt(time: number): Stretch;
}

const zones = new Map<string, Timezone>();
/** Cache limit, larger than the number of time zones. Intl does not normalize the case of some legacy names. */
const maxRemembered = 1_000;

/** Finds a time zone by its IANA name, ignoring case. Known names are returned in their canonical spelling. */
export function parseTimezone(name: unknown): Timezone {
  const known = zones.get(name as string);
  if (known) return known;
  const official = officialName(name);
  const zone = zones.get(official) ?? createTimezone(official);
  if (zones.size >= maxRemembered) zones.clear();
  zones.set(official, zone);
  return zone;
}

/** Names of all time zones, sorted. */
export function timezoneNames(): string[] {
  return [...new Set([...Intl.supportedValuesOf("timeZone"), "UTC"])].sort();
}

function officialName(given: unknown): string {
  // Intl also accepts "+01:00", which has no daylight saving time, and abbreviations: its "BST" is Asia/Dhaka.
  const name = typeof given === "string" && /^[A-Za-z]/.test(given) ? toIanaName(given) : undefined;
  if (name === undefined) throw refuse(given);
  // The first use of Intl in a program is slow.
  if (!name.includes("/")) return name;
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions();
    return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name;
  } catch {
    throw refuse(given);
  }
}

function refuse(name: unknown): Error {
  const given = show(name);
  const expected = describeExpected(name);
  const message = `${given} is not an IANA time zone name. Use ${expected}.`;
  const timezone: FieldProblem = { code: "invalid", message };
  return INVALID_TIMEZONE.with({ data: { timezone } }, given, expected);
}

/** What to use instead of an invalid name, such as "Europe/London or Asia/Dhaka". */
export function describeExpected(name: unknown): string {
  const zones = typeof name === "string" ? suggestZones(name) : [];
  if (zones.length === 0) return "an IANA name such as Europe/Berlin or UTC";
  return zones.join(", ").replace(/, (?!.*, )/, " or ");
}

function show(name: unknown): string {
  if (typeof name === "string") return JSON.stringify(name.slice(0, 64));
  return name === undefined ? "undefined" : `A value of type ${typeof name}`;
}

const weekMs = 7 * dayMs;
const weeksPerPiece = 52;
const pieceMs = weeksPerPiece * weekMs;

/**
 * Queries Intl, which is slow, as rarely as possible: once per week of each year in use, and more closely only in weeks
 * whose ends have different offsets. No time zone has changed its offset and reverted it within a week.
 */
function createTimezone(name: string): Timezone {
  const readOffset = createOffsetReader(name);
  const pieces = new Map<number, Stretch[]>();

  function createPiece(index: number): Stretch[] {
    const stretches: Stretch[] = [];
    let start = index * pieceMs;
    let offset = readOffset(start);
    for (let week = 1; week <= weeksPerPiece; week++) {
      const end = index * pieceMs + week * weekMs;
      const next = readOffset(end);
      if (next === offset) continue;
      const change = findChange(readOffset, end - weekMs, end);
      stretches.push({ start, end: change, offset });
      start = change;
      offset = next;
    }
    stretches.push({ start, end: (index + 1) * pieceMs, offset });
    return stretches.filter(({ start, end }) => end > start);
  }

  function stretchAt(time: number): Stretch {
    const index = Math.floor(time / pieceMs);
    let stretches = pieces.get(index);
    if (!stretches) {
      stretches = createPiece(index);
      pieces.set(index, stretches);
    }
    return stretches.find(({ end }) => time < end)!;
  }

  return { name, stretchAt };
}

/** The first moment of the new offset, to the second. */
function findChange(readOffset: (time: number) => number, from: number, to: number): number {
  const before = readOffset(from);
  let [low, high] = [from, to];
  while (high - low > 1_000) {
    const middle = Math.floor((low + high) / 2_000) * 1_000;
    if (readOffset(middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

function createOffsetReader(timeZone: string): (time: number) => number {
  if (timeZone === "UTC") return () => 0;
  let format: Intl.DateTimeFormat | undefined;
  return (time) => {
    format ??= new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset", year: "numeric" });
    const match = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(format.format(time));
    if (!match) return 0;
    const [, sign, hours, minutes, seconds = "0"] = match;
    const size = (Number(hours) * 60 + Number(minutes)) * minuteMs + Number(seconds) * 1_000;
    return sign === "-" ? -size : size;
  };
}
