import zlib from "node:zlib";
import { createId } from "../../../lib/ids.ts";
import type { Clock } from "../../../lib/time/clock.ts";
import { inTurns } from "../../../lib/time/turns.ts";
import type { Block } from "../output/sink.ts";
import type { BlockPosition, BlockTable, LogBlockRow } from "./blocks.ts";
import { createGramFilter } from "./filters/gram-filter.ts";
import { createTraceFilter } from "./filters/trace-filter.ts";
import { createLevelCounts } from "./level-counts.ts";

export interface LogRetention {
  /** Older records are deleted. Default 7 days. */
  maxAgeMs: number;
  /** If the total size is larger, the oldest records are deleted. Default 1 GiB. */
  maxBytes: number;
}

/**
 * Writes blocks to the store as they arrive, so that a killed process loses only the last moments. On a server with
 * little traffic, a block contains only a few records. Small blocks are merged once per minute, because each block
 * opened by a search has a cost.
 */
export interface BlockWriter {
  append(block: Block): Promise<void>;
  readonly state: LimitState;
  /** Deletes expired and excess records, in turns: blocks can be appended meanwhile. */
  purge(signal?: AbortSignal): Promise<void>;
}

/** What the size limit has deleted. */
export interface LimitState {
  /** The time of the last record that was deleted because of the limit; 0 for none. */
  readonly since: number;
  /** A deletion in progress, in bytes. */
  readonly removing?: { readonly done: number; readonly total: number };
}

/** Blocks of at least this size are not merged. */
const fullBlockBytes = 65_536;
const mergeAfterMs = 60_000;
/** Share of the size limit that may be written before the store is measured again, because that reads all its blocks. */
const unmeasuredShare = 0.01;

export function createBlockWriter(
  table: BlockTable,
  clock: Clock,
  retention: LogRetention,
  instance: string | null = null,
): BlockWriter {
  const nextId = createBlockIds(clock);
  let small: SmallBlock[] = [];
  /** Size of the blocks that were written since the store was within a limit. */
  let unmeasured = { bytes: 0, limit: -1 };
  let state: LimitState = { since: 0 };

  async function mergeSmall(): Promise<void> {
    const merged = small;
    small = [];
    if (merged.length < 2) return;
    const joined = joinBlocks(merged.map(({ block }) => block));
    const row = { ...describeBlock(nextId(), joined), instance };
    try {
      await table.replace(
        merged.map(({ id }) => id),
        row,
        createGramFilter(joined.bytes),
      );
    } catch {
      // The small blocks remain. Their records are stored; if this threw, the caller would store the last block again.
    }
  }

  function isMeasured(): boolean {
    const { bytes, limit } = unmeasured;
    return !table.isShared && limit === retention.maxBytes && bytes < limit * unmeasuredShare;
  }

  async function removeExpired(signal?: AbortSignal): Promise<void> {
    await inTurns(async () => (await table.removeUpTo(findExpired(clock.now(), retention))).hasMore, {
      signal,
    });
  }

  /** Several instances may do this at the same time: all of them find the same position. */
  async function removeExcess(signal?: AbortSignal): Promise<void> {
    const { maxBytes } = retention;
    const measured = { bytes: 0, limit: maxBytes };
    unmeasured = measured;
    try {
      const excess = await findExcess(table, maxBytes, signal);
      // A limit that is raised meanwhile ends the deletion.
      const isWanted = () => retention.maxBytes <= maxBytes;
      if (excess) await removeUpTo(excess, isWanted, signal);
    } catch (error) {
      measured.limit = -1;
      throw error;
    }
  }

  async function removeUpTo(
    { position, bytes: total }: Excess,
    isWanted: () => boolean,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    let done = 0;
    const since = position.last_time;
    const removeSome = async () => {
      state = { since, removing: { done, total } };
      const { bytes, hasMore } = await table.removeUpTo(position);
      done += bytes;
      return hasMore;
    };
    try {
      await inTurns(async () => isWanted() && (await removeSome()), { signal });
    } finally {
      state = { since };
    }
  }

  return {
    get state() {
      return state;
    },
    async append(block) {
      const isFull = block.bytes.length >= fullBlockBytes;
      // Only adjacent blocks are merged, to preserve the order of records.
      if (isFull) await mergeSmall();
      const row = { ...describeBlock(nextId(), block), instance };
      // Blocks that are about to be merged do not need one.
      await table.insert(row, isFull ? createGramFilter(block.bytes) : undefined);
      unmeasured.bytes += row.size;
      if (isFull) return;
      // Copied, because the caller reuses the memory.
      small.push({ id: row.id, block: { ...block, bytes: Buffer.from(block.bytes) } });
      if (areDue(small)) await mergeSmall();
    },
    async purge(signal) {
      await removeExpired(signal);
      if (!isMeasured()) await removeExcess(signal);
    },
  };
}

/** A block that may be merged with its neighbors. */
interface SmallBlock {
  readonly id: string;
  readonly block: Block;
}

function areDue(small: readonly SmallBlock[]): boolean {
  const size = small.reduce((sum, { block }) => sum + block.bytes.length, 0);
  const age = small.length > 1 ? small.at(-1)!.block.lastTime - small[0]!.block.firstTime : 0;
  return size >= fullBlockBytes || age >= mergeAfterMs;
}

interface Excess {
  /** The newest block that no longer fits. */
  readonly position: BlockPosition;
  /** The size of this block and all older ones. */
  readonly bytes: number;
}

/** Blocks up to here are too old. PostgreSQL refuses a fraction of a millisecond. */
function findExpired(now: number, { maxAgeMs }: LogRetention): BlockPosition {
  return { last_time: Math.floor(now - maxAgeMs), id: "" };
}

/** The blocks that do not fit into `maxBytes`. */
async function findExcess(
  table: BlockTable,
  maxBytes: number,
  signal: AbortSignal | undefined,
): Promise<Excess | undefined> {
  let bytes = 0;
  let fitting = 0;
  let last: BlockPosition | undefined;
  let position: BlockPosition | undefined;
  const add = async () => {
    const blocks = await table.sizesBefore(last);
    for (const block of blocks) {
      bytes += block.size;
      if (bytes <= maxBytes) fitting = bytes;
      else position ??= block;
    }
    last = blocks.at(-1);
    return last !== undefined;
  };
  await inTurns(add, { signal });
  return position && { position, bytes: bytes - fitting };
}

/**
 * Generates increasing IDs for the blocks of one writer. Searches use them to order records of the same millisecond.
 * Merging adjacent blocks does not change that order.
 */
function createBlockIds(clock: Clock): () => string {
  // Created with the first block, not earlier: the thread is created before the last block is written without it.
  let writer: string | undefined;
  let blocks = 0;
  return () => {
    writer ??= `${inOrder(clock.now())}${createId(8)}`;
    return `${writer}${inOrder(blocks++)}`;
  };
}

/** Formats a number so that strings sort like numbers. */
const inOrder = (value: number) => value.toString(36).padStart(9, "0");

function joinBlocks(blocks: readonly Block[]): Block {
  return {
    bytes: Buffer.concat(blocks.map(({ bytes }) => bytes)),
    count: blocks.reduce((sum, { count }) => sum + count, 0),
    firstTime: Math.min(...blocks.map(({ firstTime }) => firstTime)),
    lastTime: Math.max(...blocks.map(({ lastTime }) => lastTime)),
    maxLevel: Math.max(...blocks.map(({ maxLevel }) => maxLevel)),
  };
}

// A fast level: records become ten times smaller in less time than writing them uncompressed would take.
const compression = { params: { [zlib.constants.ZSTD_c_compressionLevel]: -5 } };

function describeBlock(id: string, block: Block): Omit<LogBlockRow, "instance"> {
  const { bytes, count, firstTime, lastTime, maxLevel } = block;
  const body = zlib.zstdCompressSync(bytes, compression);
  // As one string, because searching bytes requires a call into Node per line and is much slower.
  const lines = bytes.toString("latin1");
  return {
    id,
    first_time: firstTime,
    last_time: lastTime,
    record_count: count,
    max_level: maxLevel,
    size: body.length,
    traces: createTraceFilter(lines, count),
    body,
    counts: createLevelCounts(block, lines),
  };
}
