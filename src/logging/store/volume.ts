import { setImmediate as nextTurn } from "node:timers/promises";
import { type LogLevel, levelNames } from "../levels.ts";
import { type Bars, createBars } from "./bars.ts";
import { createBlockQueue } from "./block-queue.ts";
import type { BlockHeader, BlockReader } from "./blocks.ts";
import { type LevelCounts, readSeconds, readTotals } from "./level-counts.ts";
import { allowedLevels, leastSeverity } from "./level-filter.ts";
import { createMatcher, isAboutLevelsOnly, isContradiction, type Matcher } from "./matcher.ts";
import { openBlock, type TimeRange } from "./open-block.ts";
import type { LogQuery } from "./query.ts";

/** How many records, of what level, when. */
export interface VolumeQuery extends Omit<LogQuery, "limit" | "cursor"> {
  from: number;
  /** Does not count itself. */
  to: number;
  /** About how many bars. */
  points: number;
  /** Where an earlier answer to the same question got to: only what is older is counted. */
  before?: number | undefined;
}

export type VolumePoint = { readonly time: number } & Readonly<Record<LogLevel, number>>;

export interface LogVolume {
  /** Whole steps around what was asked for. */
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
  readonly points: VolumePoint[];
  /** Absent when everything was counted. Else nothing older than this was, and everything from it on. */
  readonly reached?: number;
}

/**
 * How much one question may cost, as for a page of a search. Reading the counts in a header takes a few microseconds;
 * opening a block, or reading the filter over its traces, a thousand and a hundred times that.
 */
const blocksOpened = 400;
/** Of bodies as they lie in the store. Blocks of a busy server are four times as large as others. */
const bytesOpened = 4 * 1_048_576;
const headersRead = 200_000;
const filtersRead = 50_000;

/**
 * Counts records by time and level. What is asked of nothing but the level is answered from the headers of blocks;
 * only those without counts, of an older release, are opened. For everything else blocks are opened, the newest first,
 * until the question has cost enough.
 *
 * Headers are read in portions. A quiet minute's blocks that are put together between two of them may be missed, until
 * the next question.
 */
export async function countLogs(blocks: BlockReader, query: VolumeQuery): Promise<LogVolume> {
  const count = beginCount(query);
  const { bars, start } = count;
  let isComplete: boolean | typeof moved = isContradiction(query);
  if (!isComplete)
    do isComplete = await countOn(count, blocks);
    while (isComplete === moved);
  const reached = isComplete ? bars.from : count.end;
  return {
    from: bars.from,
    to: bars.to,
    stepMs: bars.stepMs,
    points: bars.list(reached, start).map(({ time, counts }) => toPoint(time, counts)),
    ...(!isComplete && { reached }),
  };
}

export function emptyVolume(query: VolumeQuery): LogVolume {
  const { from, to, stepMs, list } = createBars(query);
  return { from, to, stepMs, points: list(from, to).map(({ time, counts }) => toPoint(time, counts)) };
}

function toPoint(time: number, counts: LevelCounts): VolumePoint {
  const named = levelNames.map((name, level) => [name, counts[level]!]);
  return { time, ...(Object.fromEntries(named) as Record<LogLevel, number>) };
}

/** A count that is under way. */
interface Count {
  readonly query: VolumeQuery;
  readonly bars: Bars;
  readonly matcher: Matcher;
  /** Whether headers can answer it. */
  readonly byHeader: boolean;
  /** 1 for a level that is asked for, else 0. */
  readonly mask: LevelCounts;
  /** Where it began, and where it has got to: what is older than that is still to be counted. Whole seconds, as the counts in headers. */
  readonly start: number;
  end: number;
  opened: number;
  openedBytes: number;
  listed: number;
}

function beginCount(query: VolumeQuery): Count {
  const bars = createBars(query);
  const start = Math.min(bars.to, Math.ceil((query.before ?? bars.to) / 1_000) * 1_000);
  const allowed = allowedLevels(query);
  return {
    query,
    bars,
    matcher: createMatcher(query),
    byHeader: isAboutLevelsOnly(query),
    mask: levelNames.map((name) => (allowed.includes(name) ? 1 : 0)),
    start,
    end: start,
    opened: 0,
    openedBytes: 0,
    listed: 0,
  };
}

/** What a block adds to the bars. */
interface Tally {
  /** No record in it is older. */
  readonly first: number;
  addTo(bars: Bars, range: TimeRange): void;
}

/** A block has been put together with others since its header was read: see `search.ts`. */
const moved = Symbol("moved");

/**
 * Goes on from where the count has got to; true when nothing is left. Blocks overlap in time, so what one adds is held
 * back until no block that is still closed can reach as far, and where the count ends it is cut.
 */
async function countOn(count: Count, blocks: BlockReader): Promise<boolean | typeof moved> {
  const { bars, query, byHeader } = count;
  const range = { from: bars.from, to: count.end - 1 };
  const closed = createBlockQueue(
    blocks,
    { ...range, least: leastSeverity(query) },
    { traceId: query.traceId, counts: byHeader },
  );
  let held: Tally[] = [];

  function addFrom(reached: number): void {
    for (const tally of held) if (tally.first >= reached) tally.addTo(bars, range);
    held = held.filter(({ first }) => first < reached);
  }

  function cutAt(reached: number): void {
    for (const tally of held) tally.addTo(bars, { ...range, from: reached });
    count.end = Math.min(count.end, reached);
  }

  for (;;) {
    const { frontier } = closed;
    const reached = (Math.floor(frontier / 1_000) + 1) * 1_000;
    addFrom(reached);
    if (frontier === Number.NEGATIVE_INFINITY) return true;
    if (isSpent(count) && reached < count.start) {
      cutAt(reached);
      return false;
    }
    const next = closed.shift();
    if (next === undefined) {
      await nextTurn();
      count.listed += await closed.list();
      continue;
    }
    const tally = next.counts
      ? tallyHeader(next, next.counts, count.mask)
      : await tallyBody(next, count, blocks, range);
    if (tally === undefined) {
      cutAt(reached);
      return moved;
    }
    held.push(tally);
  }
}

function isSpent({ opened, openedBytes, listed, query }: Count): boolean {
  const mostListed = query.traceId === undefined ? headersRead : filtersRead;
  return opened >= blocksOpened || openedBytes >= bytesOpened || listed >= mostListed;
}

function tallyHeader({ first_time, last_time }: BlockHeader, counts: Uint8Array, mask: LevelCounts): Tally {
  const masked = (some: LevelCounts) => some.map((count, level) => count * mask[level]!);
  return {
    first: first_time,
    addTo(bars, { from, to }) {
      const isWhole = first_time >= from && last_time <= to;
      if (isWhole && bars.isOne(first_time, last_time)) bars.add(first_time, masked(readTotals(counts)));
      else
        readSeconds(counts, (time, some) => {
          if (time >= from && time <= to) bars.add(time, masked(some));
        });
    },
  };
}

/** Undefined when the block is gone. */
async function tallyBody(
  { id }: BlockHeader,
  count: Count,
  blocks: BlockReader,
  range: TimeRange,
): Promise<Tally | undefined> {
  count.opened++;
  await nextTurn();
  const body = await blocks.read(id);
  if (body === undefined) return undefined;
  count.openedBytes += body.length;
  const found: { time: number; level: number }[] = [];
  const block = openBlock(id, body, count.matcher, range);
  for (; block.head !== undefined; block.advance()) {
    const { time, record } = block.head;
    found.push({ time, level: levelNames.indexOf(record.level.toLowerCase() as LogLevel) });
  }
  return {
    first: found.at(-1)?.time ?? Number.POSITIVE_INFINITY,
    addTo(bars, { from, to }) {
      for (const { time, level } of found) if (time >= from && time <= to) bars.addOne(time, level);
    },
  };
}
