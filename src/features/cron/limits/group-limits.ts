/** The most runs of a job group that are in progress at the same time, on all instances together, by group. */
export type GroupLimits = Readonly<Record<string, number>>;

export interface GroupRun {
  readonly id: string;
  readonly job_id: string;
  readonly job_group: string | null;
  readonly scheduled_at: number;
}

/** A transaction that begins runs. */
export interface GroupClaim<T extends GroupRun> {
  readonly limits: GroupLimits;
  /** Keeps other instances from beginning runs of these groups until the transaction ends. */
  lock(groups: readonly string[]): Promise<void>;
  /** The number of runs in progress by group. */
  countRunning(groups: readonly string[]): Promise<Map<string, number>>;
  /** Stores runs and returns the IDs of those that could begin. */
  insert(runs: readonly T[]): Promise<ReadonlySet<string>>;
}

/** Stores as many runs of each group as its limit allows, earliest first. Returns the IDs of the others. */
export async function insertWithinLimits<T extends GroupRun>(
  { limits, lock, countRunning, insert }: GroupClaim<T>,
  runs: readonly T[],
): Promise<Set<string>> {
  const byGroup = Map.groupBy(runs, ({ job_group }) => job_group!);
  // All instances lock in the same order, and before they write, to avoid deadlocks.
  const groups = [...byGroup.keys()].sort();
  await lock(groups);
  const running = await countRunning(groups);
  const full = new Set<string>();
  for (const group of groups) {
    let waiting = byGroup.get(group)!.toSorted(compareDue);
    let room = (limits[group] ?? Number.POSITIVE_INFINITY) - (running.get(group) ?? 0);
    while (room > 0 && waiting.length > 0) {
      const next = waiting.slice(0, room);
      waiting = waiting.slice(next.length);
      // Ticks that have run elsewhere leave room for others.
      room -= (await insert(next)).size;
    }
    for (const { id } of waiting) full.add(id);
  }
  return full;
}

function compareDue(one: GroupRun, other: GroupRun): number {
  return one.scheduled_at - other.scheduled_at || (one.job_id < other.job_id ? -1 : 1);
}
