import type { GroupLimits } from "./group-limits.ts";

/** How many runs may be in progress at the same time. */
export interface Limits {
  /** On one instance. Undefined: any number. */
  readonly concurrency: number | undefined;
  /** In each job group, on all instances together. */
  readonly groups: GroupLimits;
}

export const noLimits: Limits = { concurrency: undefined, groups: {} };
