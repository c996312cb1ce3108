import type { BlockHeader, BlockRange, BlockReader } from "./blocks.ts";
import { mayHoldTrace } from "./trace-filter.ts";

/** The blocks that are still closed, the one that ends last first. Their headers are read in portions. */
export interface BlockQueue {
  /** The newest time at which one of them can hold a record; −∞ when there is none left. */
  readonly frontier: number;
  /** Takes the next one; undefined when more headers have to be read first. */
  shift(): BlockHeader | undefined;
  /** Reads more headers and tells how many. */
  list(): Promise<number>;
}

const portion = 500;

/** Of a trace only those that may hold it; with their counts where these are wanted. */
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
