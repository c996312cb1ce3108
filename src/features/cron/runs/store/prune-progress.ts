import { estimateBefore, type Removal } from "../../../../lib/time/removal.ts";
import type { Purged } from "./purge-runs.ts";

/** Runs of one job, or of all jobs without their own retention. */
export interface PrunedGroup {
  /** Absent for those of all jobs without their own retention. */
  readonly jobId?: string;
  /** How many are stored. */
  readonly stored: number;
  /** When they expire. */
  readonly before: number;
  /** Above this number, the oldest are deleted, too. */
  readonly most: number;
}

/**
 * Estimates how many runs are to be deleted. Counting them would read each one: no index contains both their ends and
 * their jobs. The estimate improves with each deleted run, and is exact at the end.
 */
export class PruneProgress {
  private done = 0;
  /** How many of each group are left to be deleted. */
  private readonly left = new Map<PrunedGroup, number>();
  private readonly deleted = new Map<PrunedGroup, number>();
  private readonly now: number;
  private readonly show: (removal: Removal) => void;

  constructor(now: number, show: (removal: Removal) => void) {
    this.now = now;
    this.show = show;
  }

  /** Expects deletions of a group whose oldest run is of this time. */
  expect(group: PrunedGroup, oldest: number): void {
    this.left.set(group, this.estimate(group, oldest));
  }

  add(group: PrunedGroup, { count, lastEnd }: Pick<Purged, "count" | "lastEnd">): void {
    this.done += count;
    this.deleted.set(group, (this.deleted.get(group) ?? 0) + count);
    if (lastEnd === undefined) return;
    this.left.set(group, this.estimate(group, lastEnd));
    this.report();
  }

  end(group: PrunedGroup): void {
    this.left.delete(group);
  }

  private estimate(group: PrunedGroup, oldest: number): number {
    const stored = Math.max(0, group.stored - (this.deleted.get(group) ?? 0));
    return Math.max(estimateBefore(group.before, stored, oldest, this.now), stored - group.most);
  }

  private report(): void {
    const left = [...this.left.values()].reduce((sum, count) => sum + count, 0);
    this.show({ done: this.done, total: this.done + left, unit: "runs", estimated: true });
  }
}
