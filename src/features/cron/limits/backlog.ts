/** A tick that waits for room. */
export interface WaitingTick {
  readonly job: {
    readonly id: string;
    readonly overlap: "skip" | "queue" | "allow";
    readonly group: string | undefined;
  };
  readonly scheduledAt: number;
  /** Whether it is known that its job was not running when it began to wait. It runs then, even if its job is busy now. */
  readonly hasWaited?: boolean;
}

/** What others may know about the ticks that wait. */
export interface WaitingTicks {
  readonly size: number;
  /** When the tick that waits longest was due, of one job or of all. */
  oldest(jobId?: string): number | undefined;
  countOf(jobId: string): number;
}

interface Entry<T> {
  tick: T;
  readonly number: number;
}

/** Maximum number of waiting ticks per job. Bounds the memory of jobs that never catch up. */
const maxPerJob = 100;

/**
 * Ticks that wait until fewer runs are in progress, in the order in which they were due. Jobs with overlap "skip" have
 * one waiting tick, the first.
 */
export class Backlog<T extends WaitingTick> implements WaitingTicks {
  private entries: Entry<T>[] = [];
  private readonly byJob = new Map<string, Entry<T>[]>();
  private count = 0;

  get size(): number {
    return this.entries.length;
  }

  get ticks(): T[] {
    return this.entries.map(({ tick }) => tick);
  }

  oldest(jobId?: string): number | undefined {
    const [first] = jobId === undefined ? this.entries : (this.byJob.get(jobId) ?? []);
    return first?.tick.scheduledAt;
  }

  countOf(jobId: string): number {
    return this.byJob.get(jobId)?.length ?? 0;
  }

  hasGroup(group: string | undefined): boolean {
    return group !== undefined && this.entries.some(({ tick }) => tick.job.group === group);
  }

  /** Adds a tick, unless it is waiting already. Returns the tick that the job cannot wait for, if there are too many. */
  add(tick: T): T | undefined {
    const { id, overlap } = tick.job;
    if (this.has(tick)) return undefined;
    const ofJob = this.byJob.get(id) ?? [];
    // The first tick of a job that skips stays, so that the job keeps its place.
    const [first] = ofJob;
    if (overlap === "skip" && first && first.tick.scheduledAt < tick.scheduledAt) return tick;
    const entry = { tick, number: this.count++ };
    insert(this.entries, entry);
    insert(ofJob, entry);
    this.byJob.set(id, ofJob);
    if (ofJob.length <= (overlap === "skip" ? 1 : maxPerJob)) return undefined;
    const dropped = overlap === "skip" ? ofJob.at(-1)! : ofJob[0]!;
    this.remove(({ tick }) => tick === dropped.tick);
    return dropped.tick;
  }

  /** Removes and returns up to `most` ticks, earliest first. Of a job that does not overlap, only one. */
  take(most: number, isWanted: (tick: T) => boolean): T[] {
    const taken: T[] = [];
    const jobs = new Set<string>();
    for (const { tick } of this.entries) {
      if (taken.length >= most) break;
      const { id, overlap } = tick.job;
      if ((jobs.has(id) && overlap !== "allow") || !isWanted(tick)) continue;
      jobs.add(id);
      taken.push(tick);
    }
    const all = new Set(taken);
    this.remove(({ tick }) => all.has(tick));
    return taken;
  }

  /** Whether a tick of this job and time is waiting. */
  has({ job, scheduledAt }: T): boolean {
    return this.byJob.get(job.id)?.some(({ tick }) => tick.scheduledAt === scheduledAt) ?? false;
  }

  /** Replaces each of these ticks, or removes it if the replacement is undefined. */
  replace(ticks: readonly T[], replacementOf: (tick: T) => T | undefined): void {
    const replaced = new Map(ticks.map((tick) => [tick, replacementOf(tick)]));
    this.remove(({ tick }) => replaced.has(tick) && replaced.get(tick) === undefined);
    for (const entry of this.entries) entry.tick = replaced.get(entry.tick) ?? entry.tick;
  }

  /** Removes the ticks of one job, or all. */
  clear(jobId?: string): void {
    this.remove(({ tick }) => jobId === undefined || tick.job.id === jobId);
  }

  private remove(isGone: (entry: Entry<T>) => boolean): void {
    const gone = new Set(this.entries.filter(isGone));
    if (gone.size === 0) return;
    this.entries = this.entries.filter((entry) => !gone.has(entry));
    for (const { tick } of gone) {
      const left = this.byJob.get(tick.job.id)?.filter((entry) => !gone.has(entry)) ?? [];
      if (left.length > 0) this.byJob.set(tick.job.id, left);
      else this.byJob.delete(tick.job.id);
    }
  }
}

/** Inserts an entry by its time. Ticks are added about in this order, so the place is near the end. */
function insert<T extends WaitingTick>(entries: Entry<T>[], entry: Entry<T>): void {
  let index = entries.length;
  while (index > 0 && isAfter(entries[index - 1]!, entry)) index--;
  entries.splice(index, 0, entry);
}

function isAfter<T extends WaitingTick>(one: Entry<T>, other: Entry<T>): boolean {
  const difference = one.tick.scheduledAt - other.tick.scheduledAt;
  return difference > 0 || (difference === 0 && one.number > other.number);
}
