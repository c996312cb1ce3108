import type { BlockHeader, BlockRange, BlockReader } from "./blocks.ts";
import { mayHoldTrace } from "./trace-filter.ts";

/** Blocks that have not been opened yet, ordered by end time, latest first. Headers are read in batches. */
export interface BlockQueue {
  /** The latest possible time of a record in these blocks; −∞ if none are left. */
  readonly frontier: number;
  /** Takes the next block; undefined if more headers must be read first. */
  shift(): BlockHeader | undefined;
  /** Reads more headers. Returns their number. */
  list(): Promise<number>;
}

const portion = 500;

/** For a trace, only blocks that may contain it. Includes counts if requested. */
export function createBlockQueue(
  blocks: BlockReader,
  range: BlockRange,
  { traceId, counts = false }: { traceId?: string | undefined; counts?: boolean },
): BlockQueue {
  let waiting: BlockHeader[] = [];
  let last: BlockHeader | undefined;
  let isComplete = false;
  const isWanted = ({ traces }: BlockHeader) => traceId === undefined || mayHoldTrace(traces!, traceId);

  return {
    get frontier() {
      if (waiting[0]) return waiting[0].last_time;
      if (isComplete) return Number.NEGATIVE_INFINITY;
      return last?.last_time ?? Number.POSITIVE_INFINITY;
    },
    shift: () => waiting.shift(),
    async list() {
      const headers = await blocks.list(range, {
        after: last,
        count: portion,
        traces: traceId !== undefined,
        counts,
      });
      last = headers.at(-1);
      isComplete = headers.length < portion;
      waiting = headers.filter(isWanted);
      return headers.length;
    },
  };
}
