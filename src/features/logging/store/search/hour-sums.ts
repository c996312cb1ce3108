import { hourMs } from "../../../../lib/time/units.ts";
import type { BlockHour, BlockReader } from "../blocks.ts";
import { type LevelCounts, readSeconds, readTotals } from "../level-counts.ts";

/**
 * Number of records per level for the blocks that end in an hour, in slots of five minutes. They are computed from the
 * headers when a volume first needs them, and kept until the blocks of that hour change. A chart of a week then reads
 * 168 sums instead of all headers.
 */
export interface HourSums {
  /** Hours with records from `from` on, latest first. */
  hours(from: number, instance: string | undefined): Promise<BlockHour[]>;
  of(hour: BlockHour, instance: string | undefined, source: CountSource): Promise<SlotSums>;
}

/** Counts by the start of the slot. */
export type SlotSums = ReadonlyMap<number, LevelCounts>;

/** What a header and its block contain. */
export interface CountSource {
  /** Headers were read. */
  noteListed(count: number): void;
  /** Calls `visit` for each record of a block without counts. Returns false if the block no longer exists. */
  open(id: string, visit: (time: number, counts: LevelCounts) => void): Promise<boolean>;
}

export const slotMs = 300_000;

const slotOf = (time: number) => Math.floor(time / slotMs) * slotMs;

/** Half a year. An hour takes about a kilobyte. */
const hoursKept = 4_400;
const portion = 500;

export function createHourSums(blocks: BlockReader): HourSums {
  const kept = new Map<string, { mark: string; sums: SlotSums }>();

  function keep(key: string, mark: string, sums: SlotSums): void {
    kept.delete(key);
    kept.set(key, { mark, sums });
    if (kept.size > hoursKept) kept.delete(kept.keys().next().value!);
  }

  return {
    hours: (from, instance) => blocks.hours(from, instance),
    async of({ start, mark }, instance, source) {
      const key = `${start} ${instance ?? ""}`;
      const known = kept.get(key);
      if (known?.mark === mark) return known.sums;
      // The mark was read before the headers. If the blocks have changed in between, the next mark differs.
      let sums: SlotSums | undefined;
      while (sums === undefined) sums = await sumHour(blocks, start, instance, source);
      keep(key, mark, sums);
      return sums;
    },
  };
}

/** Undefined if a block was merged meanwhile. */
async function sumHour(
  blocks: BlockReader,
  start: number,
  instance: string | undefined,
  source: CountSource,
): Promise<SlotSums | undefined> {
  const sums = new Map<number, number[]>();
  const add = (time: number, counts: LevelCounts) => {
    const slot = slotOf(time);
    const sum = sums.get(slot);
    if (sum === undefined) sums.set(slot, [...counts]);
    else for (const [level, count] of counts.entries()) sum[level]! += count;
  };
  const range = { from: start, to: Number.MAX_SAFE_INTEGER, least: undefined, instance };
  let after = { last_time: start + hourMs, id: "" };
  for (;;) {
    const headers = await blocks.list(range, { after, count: portion, counts: true });
    source.noteListed(headers.length);
    for (const { id, first_time, last_time, counts } of headers) {
      if (counts && slotOf(first_time) === slotOf(last_time)) add(first_time, readTotals(counts));
      else if (counts) readSeconds(counts, add);
      else if (!(await source.open(id, add))) return undefined;
    }
    if (headers.length < portion) return sums;
    after = headers.at(-1)!;
  }
}
