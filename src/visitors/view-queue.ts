import { dayOf } from "./days.ts";
import type { PageView, ViewBatch } from "./messages.ts";
import { readViews } from "./view-codec.ts";

/** Views that wait to be written, as the bytes that they came in. */
export interface ViewQueue {
  readonly isEmpty: boolean;
  /** Returns how many of the oldest views had to be given up for these. */
  add(batch: ViewBatch): number;
  /**
   * Gives the oldest views of one day to whoever writes them, at most so many. When that fails, they stay and
   * are the next to be taken.
   */
  take(most: number, write: (day: number, views: readonly PageView[]) => Promise<void>): Promise<void>;
}

interface Waiting {
  readonly bytes: ArrayBuffer;
  /** Where the views begin that have not been written. */
  offset: number;
  left: number;
}

/** What is kept while the database cannot be written: some tens of thousands of views. */
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
      // It may have been given up meanwhile.
      if (first.left === 0 && queue[0] === first) drop();
    },
  };
}

/** The next views, as far as they are of one day. */
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
