import zlib from "node:zlib";
import { createId } from "../../../lib/ids.ts";
import type { Clock } from "../../../lib/time/clock.ts";
import { inTurns } from "../../../lib/time/turns.ts";
import type { Block } from "../output/sink.ts";
import type { BlockPosition, BlockSize, BlockTable, LogBlockRow } from "./blocks.ts";
import { createGramFilter } from "./filters/gram-filter.ts";
import { createTraceFilter } from "./filters/trace-filter.ts";
import { createLevelCounts } from "./level-counts.ts";

export interface LogRetention {
  /** Older records are deleted. Default 7 days. */
  maxAgeMs: number;
  /** If the total size is larger, filters included, the oldest records are deleted. Default 1 GiB. */
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
    const grams = createGramFilter(joined.bytes);
    const row = { ...describeBlock(nextId(), joined, grams), instance };
    const ids = merged.map(({ id }) => id);
    try {
      await table.replace(ids, row, grams);
    } catch {
      // The small blocks remain. Their records are stored; if this threw, the caller would store the last block again.
    }
  }

  function isMeasured(): boolean {
    const { bytes, limit } = unmeasured;
    return !table.isShared && limit === retention.maxBytes && bytes < limit * unmeasuredShare;
  }

  async function removeExpired(signal?: AbortSignal): Promise<void> {
    // PostgreSQL refuses a fraction of a millisecond.
    const expiry = (): number => Math.floor(clock.now() - retention.maxAgeMs);
    const position: BlockPosition = { last_time: expiry(), id: "" };
    const first = await table.removeUpTo(position);
    if (!first.hasMore) return;
    const total = first.bytes + (await sizeBefore(table, position, signal));
    const removal = { position, done: first.bytes, total, since: state.since };
    // A longer retention ends the deletion.
    const isWanted = () => expiry() >= position.last_time;
    await removeBlocks(table, removal, { isWanted, show, signal });
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
      if (!excess) return;
      const { position, bytes: total } = excess;
      const removal = { position, done: 0, total, since: position.last_time };
      await removeBlocks(table, removal, { isWanted, show, signal });
    } catch (error) {
      measured.limit = -1;
      throw error;
    }
  }

  const show = (shown: LimitState) => {
    state = shown;
  };

  return {
    get state() {
      return state;
    },
    async append(block) {
      const isFull = block.bytes.length >= fullBlockBytes;
      // Only adjacent blocks are merged, to preserve the order of records.
      if (isFull) await mergeSmall();
      // Blocks that are about to be merged do not need one.
      const grams = isFull ? createGramFilter(block.bytes) : undefined;
      const row = { ...describeBlock(nextId(), block, grams), instance };
      await table.insert(row, grams);
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

/** A deletion of all blocks up to a position. */
interface BlockRemoval {
  readonly position: BlockPosition;
  readonly done: number;
  readonly total: number;
  /** The time of the last record that the size limit deletes. */
  readonly since: number;
}

interface RemovalOptions {
  isWanted(): boolean;
  show(state: LimitState): void;
  readonly signal: AbortSignal | undefined;
}

async function removeBlocks(
  table: BlockTable,
  { position, total, since, ...begun }: BlockRemoval,
  { isWanted, show, signal }: RemovalOptions,
): Promise<void> {
  let { done } = begun;
  const removeSome = async () => {
    show({ since, removing: { done, total } });
    const { bytes, hasMore } = await table.removeUpTo(position);
    done += bytes;
    return hasMore;
  };
  try {
    await inTurns(async () => isWanted() && (await removeSome()), { signal });
  } finally {
    show({ since });
  }
}

interface Excess {
  /** The newest block that no longer fits. */
  readonly position: BlockPosition;
  /** The size of this block and all older ones. */
  readonly bytes: number;
}

/** The blocks that do not fit into `maxBytes`. */
async function findExcess(
  table: BlockTable,
  maxBytes: number,
  signal: AbortSignal | undefined,
): Promise<Excess | undefined> {
  let bytes = 0;
  let fitting = 0;
  let position: BlockPosition | undefined;
  await eachSize(table, undefined, signal, (block) => {
    bytes += block.size;
    if (bytes <= maxBytes) fitting = bytes;
    else position ??= block;
  });
  return position && { position, bytes: bytes - fitting };
}

async function sizeBefore(
  table: BlockTable,
  position: BlockPosition,
  signal: AbortSignal | undefined,
): Promise<number> {
  let bytes = 0;
  await eachSize(table, position, signal, ({ size }) => {
    bytes += size;
  });
  return bytes;
}

/** Reads the sizes of the blocks before a position, newest first, in turns. */
async function eachSize(
  table: BlockTable,
  before: BlockPosition | undefined,
  signal: AbortSignal | undefined,
  read: (block: BlockSize) => void,
): Promise<void> {
  let last = before;
  const readSome = async () => {
    const blocks = await table.sizesBefore(last);
    blocks.forEach(read);
    last = blocks.at(-1);
    return last !== undefined;
  };
  await inTurns(readSome, { signal });
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

function describeBlock(id: string, block: Block, grams?: Uint8Array): Omit<LogBlockRow, "instance"> {
  const { bytes, count, firstTime, lastTime, maxLevel } = block;
  const body = zlib.zstdCompressSync(bytes, compression);
  // As one string, because searching bytes requires a call into Node per line and is much slower.
  const lines = bytes.toString("latin1");
  const traces = createTraceFilter(lines, count);
  const counts = createLevelCounts(block, lines);
  const parts = [body, traces, counts, grams];
  return {
    id,
    first_time: firstTime,
    last_time: lastTime,
    record_count: count,
    max_level: maxLevel,
    size: parts.reduce((sum, part) => sum + (part?.length ?? 0), 0),
    traces,
    body,
    counts,
  };
}
