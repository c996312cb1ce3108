import { VarintReader, VarintWriter } from "../../../lib/varints.ts";
import { levelNames, levels } from "../levels.ts";
import type { Block } from "../output/sink.ts";

/**
 * Number of records per level in a block, in total and per second, so that volumes of several days can be computed
 * without opening blocks. Format: four totals, then for each second with records the offset from the previous one (for
 * the first, from the epoch) and its four counts, all as varints. This takes about ten bytes for a block of a busy
 * server and a few hundred for a merged block of a quiet minute.
 */

/** In the order of `levelNames`. */
export type LevelCounts = readonly number[];

/** The counts are part of an index, whose entries must be short. */
const maxBytes = 800;

/** Counts the lines of a block; null if the result is too long to be stored. */
export function createLevelCounts(block: Omit<Block, "bytes">, lines: string): Uint8Array | null {
  const seconds = countWholeBlock(block) ?? countSeconds(lines);
  const writer = new VarintWriter(128);
  for (const total of sumOf(seconds.values())) writer.number(total);
  let before = 0;
  for (const [second, counts] of [...seconds].sort(([one], [other]) => one - other)) {
    writer.number(second - before);
    for (const count of counts) writer.number(count);
    before = second;
  }
  const bytes = writer.take();
  return bytes.length > maxBytes ? null : bytes;
}

export function readTotals(bytes: Uint8Array): LevelCounts {
  return readCounts(new VarintReader(bytes));
}

/** Calls `visit` for each second with records, earliest first. */
export function readSeconds(bytes: Uint8Array, visit: (time: number, counts: LevelCounts) => void): void {
  const reader = new VarintReader(bytes);
  readCounts(reader);
  for (let second = 0; !reader.isAtEnd; ) {
    second += reader.number();
    visit(second * 1_000, readCounts(reader));
  }
}

const none: LevelCounts = levelNames.map(() => 0);

const readCounts = (reader: VarintReader): LevelCounts => none.map(() => reader.number());

function sumOf(all: Iterable<LevelCounts>): LevelCounts {
  const sum = [...none];
  for (const counts of all) for (const [level, count] of counts.entries()) sum[level]! += count;
  return sum;
}

/** Fast path for a common block of busy servers: only requests, all within one second. */
function countWholeBlock({
  count,
  maxLevel,
  firstTime,
  lastTime,
}: Omit<Block, "bytes">): Map<number, number[]> | undefined {
  const second = Math.floor(firstTime / 1_000);
  const isOne = maxLevel === levels.debug && Math.floor(lastTime / 1_000) === second;
  return isOne ? new Map([[second, none.with(0, count)]]) : undefined;
}

const timeMark = '"time":"';
const levelMark = '"level":"';
const secondLength = "2026-11-15T14:37:48".length;
/** Offset of the time in `{"time":"2026-11-15T14:37:48.123Z","level":"`, the usual start of a line. */
const usualTime = 1 + timeMark.length;
const usualLevel = usualTime + '2026-11-15T14:37:48.123Z",'.length + levelMark.length;

/** Most lines are in the same second as the previous line, so the time is parsed only when it changes. */
function countSeconds(lines: string): Map<number, number[]> {
  const seconds = new Map<number, number[]>();
  let before = -1;
  let counts: number[] = [];
  for (let start = 0; start < lines.length; start = lines.indexOf("\n", start) + 1) {
    const isUsual = lines.charCodeAt(start + 2) === 116;
    const time = isUsual ? start + usualTime : lines.indexOf(timeMark, start) + timeMark.length;
    if (before === -1 || !isSameSecond(lines, before, time)) {
      const second = Date.parse(`${lines.slice(time, time + secondLength)}Z`) / 1_000;
      counts = seconds.get(second) ?? [...none];
      seconds.set(second, counts);
    }
    before = time;
    const level = isUsual ? start + usualLevel : lines.indexOf(levelMark, start) + levelMark.length;
    counts[levelAt(lines, level)]! += 1;
  }
  return seconds;
}

/** Compares characters from the end, where they differ most. Twice as fast as comparing slices. */
function isSameSecond(lines: string, one: number, other: number): boolean {
  for (let index = secondLength - 1; index >= 0; index--)
    if (lines.charCodeAt(one + index) !== lines.charCodeAt(other + index)) return false;
  return true;
}

/** Identifies the level by its first letter, which is unique. */
function levelAt(lines: string, at: number): number {
  const letter = lines.charCodeAt(at);
  return letter === 68 ? 0 : letter === 73 ? 1 : letter === 87 ? 2 : 3;
}
