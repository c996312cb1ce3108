import zlib from "node:zlib";
import type { Clock } from "../../lib/clock.ts";
import { createId } from "../../lib/ids.ts";
import type { Block } from "../sink.ts";
import type { BlockTable, LogBlockRow } from "./blocks.ts";
import { createLevelCounts } from "./level-counts.ts";
import { createTraceFilter } from "./trace-filter.ts";

export interface LogRetention {
  /** Records older than this are removed. Default 7 days. */
  maxAgeMs: number;
  /** When all together are larger, the oldest are removed. Default 1 GiB. */
  maxBytes: number;
}

/**
 * Writes blocks to the store as they come, so that a killed process loses the last moment at most. On a quiet server
 * a block holds a record or two; a minute's worth of such small ones is then put together into one, because a search
 * pays for every block it opens.
 */
export interface BlockWriter {
  append(block: Block): Promise<void>;
  /** Removes what is past its retention. */
  purge(): Promise<void>;
}

/** A block of this size stands for itself. */
const fullBlockBytes = 65_536;
const mergeAfterMs = 60_000;

export function createBlockWriter(table: BlockTable, clock: Clock, retention: LogRetention): BlockWriter {
  const nextId = createBlockIds(clock);
  let small: { id: string; block: Block }[] = [];

  async function mergeSmall(): Promise<void> {
    const merged = small;
    small = [];
    if (merged.length < 2) return;
    const row = describeBlock(nextId(), joinBlocks(merged.map(({ block }) => block)));
    try {
      await table.replace(
        merged.map(({ id }) => id),
        row,
      );
    } catch {
      // They stay as they are. What matters is written, and would be written twice if this were to fail its caller.
    }
  }

  function isDue(): boolean {
    const size = small.reduce((sum, { block }) => sum + block.bytes.length, 0);
    const age = small.length > 1 ? small.at(-1)!.block.lastTime - small[0]!.block.firstTime : 0;
    return size >= fullBlockBytes || age >= mergeAfterMs;
  }

  return {
    async append(block) {
      const isFull = block.bytes.length >= fullBlockBytes;
      // Only neighbours are put together, so that what was written later stays behind what was written earlier.
      if (isFull) await mergeSmall();
      const row = describeBlock(nextId(), block);
      await table.insert(row);
      if (isFull) return;
      // The caller may use the memory again.
      small.push({ id: row.id, block: { ...block, bytes: Buffer.from(block.bytes) } });
      if (isDue()) await mergeSmall();
    },
    async purge() {
      while (await table.removeBefore(clock.now() - retention.maxAgeMs));
      while (await table.removeBeyond(retention.maxBytes));
    },
  };
}

/**
 * The IDs of one writer's blocks, each greater than the one before. A search orders the records of one millisecond by
 * them, and putting neighbours together does not change that order.
 */
function createBlockIds(clock: Clock): () => string {
  // With its first block, and not sooner: the thread is made before the last block that is written without it.
  let writer: string | undefined;
  let blocks = 0;
  return () => {
    writer ??= `${inOrder(clock.now())}${createId(8)}`;
    return `${writer}${inOrder(blocks++)}`;
  };
}

/** A number as letters that sort as the numbers do. */
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

// A fast level: it makes records ten times smaller in less time than it takes to write them as they are.
const compression = { params: { [zlib.constants.ZSTD_c_compressionLevel]: -5 } };

function describeBlock(id: string, block: Block): LogBlockRow {
  const { bytes, count, firstTime, lastTime, maxLevel } = block;
  const body = zlib.zstdCompressSync(bytes, compression);
  // As one string: going through that costs a fraction of going through bytes, which is a call into Node for each line.
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
