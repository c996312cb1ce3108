import { setImmediate as nextTurn } from "node:timers/promises";
import { type LogLevel, levelNames } from "../../levels.ts";
import { createBlockQueue } from "../block-queue.ts";
import type { BlockHeader, BlockReader } from "../blocks.ts";
import { type LevelCounts, readSeconds, readTotals } from "../level-counts.ts";
import { type Bars, createBars } from "./bars.ts";
import { type CountSource, createHourSums, type HourSums, type SlotSums, slotMs } from "./hour-sums.ts";
import { wantedInstances } from "./instance-filter.ts";
import { allowedLevels, leastSeverity } from "./level-filter.ts";
import { createMatcher, isAboutLevelsOnly, isContradiction, type Matcher } from "./matcher.ts";
import { openBlock, type TimeRange } from "./open-block.ts";
import type { LogQuery } from "./query.ts";

/** Number of records by time and level. */
export interface VolumeQuery extends Omit<LogQuery, "limit" | "cursor"> {
  from: number;
  /** Exclusive. */
  to: number;
  /** Approximate number of bars. */
  points: number;
  /** `reached` of an earlier response to the same query: only older records are counted. */
  before?: number | undefined;
}

export type VolumePoint = { readonly time: number } & Readonly<Record<LogLevel, number>>;

export interface LogVolume {
  /** The queried period, extended to whole steps. */
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
  readonly points: VolumePoint[];
  /** Absent if all records were counted. Otherwise, only records from this time on were counted. */
  readonly reached?: number;
}

/**
 * Limits per query. Reading the counts in a header takes a few microseconds. Opening a block takes a thousand times as
 * long, and reading its trace filter a hundred times.
 */
const blocksOpened = 400;
/** Compressed size. Blocks of a busy server are four times as large as others. */
const bytesOpened = 4 * 1_048_576;
const headersRead = 200_000;
const filtersRead = 50_000;

/**
 * Counts records by time and level. Queries that only filter by level use the block headers and open only blocks
 * without stored counts. For long windows, they use sums per hour. Other queries open blocks, newest first, until a
 * limit is reached.
 *
 * Headers are read in batches. Small blocks that are merged between two batches may be missed until the next query.
 */
export async function countLogs(
  blocks: BlockReader,
  query: VolumeQuery,
  sums: HourSums = createHourSums(blocks),
): Promise<LogVolume> {
  const count = beginCount(query);
  const { bars, start } = count;
  let isComplete: boolean | typeof moved = isContradiction(query);
  if (!isComplete && isByHour(count)) isComplete = await countByHour(count, blocks, sums);
  else if (!isComplete)
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

/** A count in progress. */
interface Count {
  readonly query: VolumeQuery;
  readonly bars: Bars;
  readonly matcher: Matcher;
  /** Whether the headers are sufficient. */
  readonly byHeader: boolean;
  /** 1 for each requested level, otherwise 0. */
  readonly mask: LevelCounts;
  /** Start and current position: older records have not been counted yet. Whole seconds, like the counts in headers. */
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

/** Whether the bars consist of whole slots of the sums per hour. */
function isByHour({ byHeader, bars, start }: Count): boolean {
  return byHeader && bars.stepMs % slotMs === 0 && start % slotMs === 0;
}

/** Returns true when everything has been counted. Blocks can begin in an earlier hour than the one in which they end. */
async function countByHour(count: Count, blocks: BlockReader, sums: HourSums): Promise<boolean> {
  const { bars, mask, start } = count;
  const [instance] = wantedInstances(count.query);
  const source = createCountSource(count, blocks);
  const hours = (await sums.hours(bars.from, instance)).filter(({ first }) => first < start);
  const found: SlotSums[] = [];
  let reached = bars.from;
  for (const hour of hours) {
    await nextTurn();
    found.push(await sums.of(hour, instance, source));
    if (isSpent(count) && hour.start > bars.from && hour.start < start) {
      reached = hour.start;
      break;
    }
  }
  for (const slots of found)
    for (const [time, counts] of slots)
      if (time >= reached && time < start) bars.add(time, maskCounts(counts, mask));
  count.end = reached;
  return reached === bars.from;
}

/** Reads blocks without stored counts, of any level. */
function createCountSource(count: Count, blocks: BlockReader): CountSource {
  const matcher = createMatcher({});
  return {
    noteListed(listed) {
      count.listed += listed;
    },
    async open(id, visit) {
      count.opened++;
      await nextTurn();
      const body = await blocks.read(id);
      if (body === undefined) return false;
      count.openedBytes += body.length;
      const everything = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
      for (
        const block = openBlock({ id, instance: null }, body, matcher, everything);
        block.head;
        block.advance()
      )
        visit(
          block.head.time,
          levelNames.map((name) => (name === block.head!.record.level.toLowerCase() ? 1 : 0)),
        );
      return true;
    },
  };
}

const maskCounts = (counts: LevelCounts, mask: LevelCounts) =>
  counts.map((count, level) => count * mask[level]!);

/** The counts that a block adds to the bars. */
interface Tally {
  /** Time of the oldest record. */
  readonly first: number;
  addTo(bars: Bars, range: TimeRange): void;
}

/** The block was merged after its header was read; see `search.ts`. */
const moved = Symbol("moved");

/**
 * Continues from the current position; returns true when everything has been counted. Blocks overlap in time, so the
 * counts of a block are added only when no unopened block can contain records as new. Where the count ends, they are
 * cut off.
 */
async function countOn(count: Count, blocks: BlockReader): Promise<boolean | typeof moved> {
  const { bars, query, byHeader } = count;
  const range = { from: bars.from, to: count.end - 1 };
  const closed = createBlockQueue(
    blocks,
    { ...range, least: leastSeverity(query), instance: wantedInstances(query)[0] },
    { traceId: query.traceId, texts: count.matcher.texts, counts: byHeader },
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
  const masked = (some: LevelCounts) => maskCounts(some, mask);
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

/** Undefined if the block no longer exists. */
async function tallyBody(
  header: BlockHeader,
  count: Count,
  blocks: BlockReader,
  range: TimeRange,
): Promise<Tally | undefined> {
  count.opened++;
  await nextTurn();
  const body = await blocks.read(header.id);
  if (body === undefined) return undefined;
  count.openedBytes += body.length;
  const found: { time: number; level: number }[] = [];
  const block = openBlock(header, body, count.matcher, range);
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
