import zlib from "node:zlib";
import type { BlockHeader } from "../blocks.ts";
import { instanceField } from "./instance-filter.ts";
import type { Matcher } from "./matcher.ts";
import type { LogRecord } from "./query.ts";

/** Inclusive range in milliseconds since the epoch. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

export interface FoundRecord {
  readonly time: number;
  readonly record: LogRecord;
}

/** Iterates over the matching records of a block, newest first. */
export interface OpenBlock {
  readonly id: string;
  /** The current record; undefined at the end. */
  readonly head: FoundRecord | undefined;
  advance(): void;
}

export function openBlock(
  { id, instance }: Pick<BlockHeader, "id" | "instance">,
  body: Uint8Array,
  matcher: Matcher,
  range: TimeRange,
): OpenBlock {
  const lines = selectLines(zlib.zstdDecompressSync(body).toString(), matcher, range);

  function findNext(): FoundRecord | undefined {
    for (let next = lines.pop(); next !== undefined; next = lines.pop()) {
      const record = JSON.parse(next.line) as LogRecord;
      if (instance !== null) record[instanceField] = instance;
      if (matcher.matches(record)) return { time: next.time, record };
    }
    return undefined;
  }

  let head = findNext();
  return {
    id,
    get head() {
      return head;
    },
    advance() {
      head = findNext();
    },
  };
}

interface TimedLine {
  readonly time: number;
  readonly line: string;
}

/** The lines that may match, ordered by time and, for equal times, by position. */
function selectLines(text: string, matcher: Matcher, { from, to }: TimeRange): TimedLine[] {
  if (!matcher.mayMatch(text)) return [];
  const lines: TimedLine[] = [];
  for (const line of text.trimEnd().split("\n")) {
    if (!matcher.mayMatchLine(line)) continue;
    const time = timeOf(line);
    if (time >= from && time <= to) lines.push({ time, line });
  }
  // Already in order, unless the system clock was set back.
  return lines.sort((one, other) => one.time - other.time);
}

const timeMark = '"time":"';
const timeLength = "2026-11-15T14:37:48.123Z".length;

/** The time is the first or second field of every record. */
function timeOf(line: string): number {
  const start = line.indexOf(timeMark) + timeMark.length;
  return Date.parse(line.slice(start, start + timeLength));
}
