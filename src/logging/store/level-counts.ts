import { VarintReader, VarintWriter } from "../../lib/varints.ts";
import { levelNames, levels } from "../levels.ts";
import type { Block } from "../sink.ts";

/**
 * How many records of each level a block holds, in all and in each second, so that the volume of days is known without
 * opening a block. Four totals, then for each second in which there is one: the seconds since the one before (the first:
 * since the epoch) and its four counts, all as varints. That is some ten bytes for a block of a busy server, and a few
 * hundred for a quiet minute put together.
 */

/** In the order of `levelNames`. */
export type LevelCounts = readonly number[];

/** They lie in an index, whose entries must be short. */
const maxBytes = 800;

/** The counts of a block's lines; null when they are too many to be kept. */
export function createLevelCounts(block: Omit<Block, "bytes">, lines: string): Uint8Array | null {
  const seconds = countAtOnce(block) ?? countSeconds(lines);
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

/** Calls back for each second in which there are records, the earliest first. */
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

/** A busy server writes blocks of requests and nothing else, within a second: these need not be looked at. */
function countAtOnce({
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
/** Of `{"time":"2026-11-15T14:37:48.123Z","level":"`: how nearly all lines begin. */
const usualTime = 1 + timeMark.length;
const usualLevel = usualTime + '2026-11-15T14:37:48.123Z",'.length + levelMark.length;

/** Nearly all lines are of the same second as the one before; only where that ends is the time read. */
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

/** Letter by letter, from the end, where they differ most: that takes half as long as comparing slices. */
function isSameSecond(lines: string, one: number, other: number): boolean {
  for (let index = secondLength - 1; index >= 0; index--)
    if (lines.charCodeAt(one + index) !== lines.charCodeAt(other + index)) return false;
  return true;
}

/** By its first letter, which is another one for each. */
function levelAt(lines: string, at: number): number {
  const letter = lines.charCodeAt(at);
  return letter === 68 ? 0 : letter === 73 ? 1 : letter === 87 ? 2 : 3;
}
