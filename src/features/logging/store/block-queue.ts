import type { BlockHeader, BlockRange, BlockReader } from "./blocks.ts";
import { gramsOf, mayHoldGrams } from "./filters/gram-filter.ts";
import { mayHoldTrace } from "./filters/trace-filter.ts";

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

export interface Wanted {
  /** Only blocks that may contain this trace. */
  traceId?: string | undefined;
  /** Only blocks that may contain all of these texts. A trace makes them unnecessary. */
  texts?: readonly string[];
  /** Whether headers include the counts. */
  counts?: boolean;
}

export function createBlockQueue(
  blocks: BlockReader,
  range: BlockRange,
  { traceId, texts = [], counts = false }: Wanted,
): BlockQueue {
  const grams = traceId === undefined ? gramsOf(texts) : [];
  let waiting: BlockHeader[] = [];
  let last: BlockHeader | undefined;
  let isComplete = false;
  const isWanted = ({ traces, grams: held }: BlockHeader) =>
    traceId === undefined ? !held || mayHoldGrams(held, grams) : mayHoldTrace(traces!, traceId);

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
        grams: grams.length > 0,
      });
      last = headers.at(-1);
      isComplete = headers.length < portion;
      waiting = headers.filter(isWanted);
      return headers.length;
    },
  };
}
