import { dayOf } from "../days.ts";
import type { PageView, ViewBatch } from "../messages.ts";
import { readViews } from "./view-codec.ts";

/** Encoded views that wait to be stored. */
export interface ViewQueue {
  readonly isEmpty: boolean;
  /** Adds a batch. Returns the number of oldest views dropped to make room. */
  add(batch: ViewBatch): number;
  /**
   * Passes up to `most` of the oldest views of one day to `write`. If that fails, they stay at the front of the queue.
   */
  take(most: number, write: (day: number, views: readonly PageView[]) => Promise<void>): Promise<void>;
}

interface Waiting {
  readonly bytes: ArrayBuffer;
  /** Offset of the first view that has not been stored. */
  offset: number;
  left: number;
}

/** Limit while the database cannot be written: tens of thousands of views. */
const mostBytes = 12 * 2 ** 20;

export function createViewQueue(most: number = mostBytes): ViewQueue {
  const queue: Waiting[] = [];
  let bytes = 0;

  function drop(): number {
    const { left, bytes: dropped } = queue.shift()!;
    bytes -= dropped.byteLength;
    return left;
  }

  return {
    get isEmpty() {
      return queue.length === 0;
    },
    add(batch) {
      queue.push({ bytes: batch.bytes, offset: 0, left: batch.count });
      bytes += batch.bytes.byteLength;
      let lost = 0;
      while (bytes > most) lost += drop();
      return lost;
    },
    async take(count, write) {
      const first = queue[0]!;
      const { views, end } = readDay(first, count);
      await write(dayOf(views[0]!.time), views);
      first.offset = end;
      first.left -= views.length;
      // The batch may have been dropped in the meantime.
      if (first.left === 0 && queue[0] === first) drop();
    },
  };
}

/** The next views that belong to the same day. */
function readDay({ bytes, offset }: Waiting, most: number): { views: PageView[]; end: number } {
  const views: PageView[] = [];
  let last = offset;
  for (const { view, end } of readViews(bytes, offset)) {
    if (views.length === most || (views[0] && dayOf(view.time) !== dayOf(views[0].time))) break;
    views.push(view);
    last = end;
  }
  return { views, end: last };
}
