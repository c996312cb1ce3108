import type { FieldProblem } from "../../lib/errors.ts";
import { INVALID_TIMEZONE } from "../errors.ts";

/** A stretch of time in which a zone's clocks differ from UTC by one offset. Ends where the next one starts. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
  /** Wall time minus UTC, in milliseconds. */
  readonly offset: number;
}

/** A zone that exists, and what its clocks do. */
export interface Timezone {
  readonly name: string;
  /** The stretch that holds this moment. Two neighbours may have the same offset: nothing happens between them. */
  stretchAt(time: number): Stretch;
}

const zones = new Map<string, Timezone>();
/** More than there are, in case somebody tries many spellings of the old names, which Intl does not correct. */
const maxRemembered = 1_000;

/** Finds a zone by its IANA name in any case; a known name keeps its usual spelling. */
export function parseTimezone(name: unknown): Timezone {
  const known = zones.get(name as string);
  if (known) return known;
  const official = officialName(name);
  const zone = zones.get(official) ?? createTimezone(official);
  if (zones.size >= maxRemembered) zones.clear();
  zones.set(official, zone);
  return zone;
}

/** The names of all zones, sorted. */
export function timezoneNames(): string[] {
  return [...new Set([...Intl.supportedValuesOf("timeZone"), "UTC"])].sort();
}

function officialName(name: unknown): string {
  // Intl knows "+01:00" too, which is no name and has no daylight saving time.
  if (typeof name !== "string" || !/^[A-Za-z]/.test(name)) throw refuse(name);
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions();
    return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name;
  } catch {
    throw refuse(name);
  }
}

function refuse(name: unknown): Error {
  const given = show(name);
  const timezone: FieldProblem = { code: "invalid", message: `${given} is not the IANA name of a timezone.` };
  return INVALID_TIMEZONE.with({ data: { timezone } }, given);
}

function show(name: unknown): string {
  if (typeof name === "string") return JSON.stringify(name.slice(0, 64));
  return name === undefined ? "Nothing" : `A value that is no text (${typeof name})`;
}

const weekMs = 7 * 24 * 3_600_000;
const weeksPerPiece = 52;
const pieceMs = weeksPerPiece * weekMs;

/**
 * Asks Intl, which knows the rules, as seldom as possible: once for every week of a year that is looked at, and more
 * closely only in a week at whose ends the offsets differ. No zone has changed its clocks there and back in a week.
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
  const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset", year: "numeric" });
  return (time) => {
    const match = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(format.format(time));
    if (!match) return 0;
    const [, sign, hours, minutes, seconds = "0"] = match;
    const size = (Number(hours) * 60 + Number(minutes)) * 60_000 + Number(seconds) * 1_000;
    return sign === "-" ? -size : size;
  };
}
