/** How much of a deletion is done. */
export interface Removal {
  readonly done: number;
  readonly total: number;
  /** What is counted, in the plural: "runs". Default: bytes. */
  readonly unit?: string | undefined;
  /** Whether the total is an estimate. */
  readonly estimated?: boolean | undefined;
}

/** Shows the deletion that a store is doing, in the memory of its process. It ends with the work, or with the process. */
export class RemovalReport {
  private removal: Removal | undefined;

  get current(): Removal | undefined {
    return this.removal;
  }

  /** Does the work, which shows how far it is after each step. */
  async during<Result>(work: (show: (removal: Removal) => void) => Promise<Result>): Promise<Result> {
    try {
      return await work((removal) => {
        this.removal = removal;
      });
    } finally {
      this.removal = undefined;
    }
  }
}

/**
 * Estimates how many of `stored` items are to be deleted if all before a time are, and if they are as frequent as later
 * ones. `at` is the time of the oldest item. Counting them would read each one.
 */
export function estimateBefore(before: number, stored: number, at: number, now: number): number {
  if (at >= before) return 0;
  const share = now > at ? Math.min(1, (before - at) / (now - at)) : 1;
  return Math.ceil(stored * share);
}
