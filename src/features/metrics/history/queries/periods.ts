import { chooseStep, coverWindow, type Extents, finestLevel, levelForStep, type Segment } from "../levels.ts";
import type { Names } from "../names.ts";
import type { SlotStore } from "../slot-store.ts";
import type { CoveredPeriod, PastQuery } from "./query.ts";
import type { SlotReader } from "./slot-reader.ts";

/** The steps of a series, and the slots to read for it. */
export interface Plan {
  readonly step: number;
  readonly start: number;
  readonly count: number;
  readonly segments: readonly Segment[];
}

/** Share of the preceding period that may be missing at its start. An hour must not be compared with half an hour. */
export const unseenShare = 0.05;

/** What queries of the history use. */
export interface HistoryReader {
  readonly slots: SlotReader;
  readonly names: Names;
  readonly periods: Periods;
}

/** Decides which slots a query reads. */
export class Periods {
  private readonly store: SlotStore;
  private readonly slots: SlotReader;
  private readonly now: () => number;

  constructor(store: SlotStore, slots: SlotReader, now: () => number) {
    this.store = store;
    this.slots = slots;
    this.now = now;
  }

  async plan({ from, to, points = 240 }: PastQuery): Promise<Plan> {
    const extents = await this.store.extents(this.now());
    const step = chooseStep(from, to, points, extents);
    const start = from - (from % step);
    const segments = coverWindow(start, Math.ceil(to / step) * step, extents, levelForStep(step));
    return { step, start, count: Math.ceil((to - start) / step), segments };
  }

  async coverOf({ from, to }: PastQuery): Promise<Segment[]> {
    const extents: Extents = await this.store.extents(this.now());
    return coverWindow(from, to, extents);
  }

  /** The slots of the preceding period; undefined if not requested or not covered from its start. */
  async coverBefore(
    { from, to }: CoveredPeriod,
    { compare, instance }: PastQuery,
  ): Promise<Segment[] | undefined> {
    if (!compare) return undefined;
    const [start, end] = this.windowBefore(from, to);
    const extents = await this.store.extents(this.now());
    const level = finestLevel(start, extents);
    const soon = start + Math.max(1, (end - start) * unseenShare);
    const beginning = { level, from: start - (start % level), to: soon };
    const isThere = await this.slots.hasSlots(beginning, instance);
    return isThere ? coverWindow(start, end, extents) : undefined;
  }

  /** The preceding period has the length of the elapsed part of the period. */
  private windowBefore(from: number, to: number): [from: number, to: number] {
    const length = from < this.now() ? Math.min(to, this.now()) - from : to - from;
    return [Math.max(0, from - length), from];
  }
}

/** The index of the first point that is wanted. */
export function firstPoint(
  { after }: PastQuery,
  { start, step, count }: { start: number; step: number; count: number },
): number {
  if (after === undefined) return 0;
  return Math.min(count, Math.max(0, Math.floor((after - start) / step)));
}

export const endsOf = (segments: readonly Segment[]): CoveredPeriod => ({
  from: segments[0]?.from ?? 0,
  to: segments.at(-1)?.to ?? 0,
});
