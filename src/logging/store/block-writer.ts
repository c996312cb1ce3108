import type { Clock } from "../../lib/clock.ts";
import { createId } from "../../lib/ids.ts";
import type { Block } from "../sink.ts";
import type { BlockTable, LogBlockRow } from "./blocks.ts";
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
  let small: LogBlockRow[] = [];

  async function mergeSmall(): Promise<void> {
    const merged = small;
    small = [];
    if (merged.length < 2) return;
    const body = Buffer.concat(merged.map((row) => row.body));
    const whole = describeBlock({
      bytes: body,
      count: merged.reduce((sum, row) => sum + row.record_count, 0),
      firstTime: Math.min(...merged.map((row) => row.first_time)),
      lastTime: Math.max(...merged.map((row) => row.last_time)),
      maxLevel: Math.max(...merged.map((row) => row.max_level)),
    });
    await table.replace(
      merged.map((row) => row.id),
      whole,
    );
  }

  function isDue(): boolean {
    const size = small.reduce((sum, row) => sum + row.size, 0);
    return (
      size >= fullBlockBytes ||
      (small.length > 1 && small.at(-1)!.last_time - small[0]!.first_time >= mergeAfterMs)
    );
  }

  return {
    async append(block) {
      const row = describeBlock(block);
      await table.insert(row);
      if (row.size >= fullBlockBytes) return;
      small.push(row);
      if (isDue()) await mergeSmall();
    },
    async purge() {
      while (await table.removeBefore(clock.now() - retention.maxAgeMs));
      while (await table.removeBeyond(retention.maxBytes));
    },
  };
}

function describeBlock({ bytes, count, firstTime, lastTime, maxLevel }: Block): LogBlockRow {
  return {
    id: createId(),
    first_time: firstTime,
    last_time: lastTime,
    record_count: count,
    max_level: maxLevel,
    size: bytes.length,
    traces: createTraceFilter(bytes, count),
    body: bytes,
  };
}
