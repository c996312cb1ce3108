/** A queued item of a job, with its scheduled time. */
interface Waiting {
  readonly job: { readonly id: string };
  readonly scheduledAt: number;
}

/** Queues of ticks that could not start yet, one per job, earliest first. */
export class RunQueue<T extends Waiting> {
  private readonly lines = new Map<string, T[]>();

  get isEmpty(): boolean {
    return this.lines.size === 0;
  }

  /** Jobs with queued items. */
  get jobIds(): string[] {
    return [...this.lines.keys()];
  }

  /** Adds an item. If the job's queue exceeds `most`, drops the earliest item and returns true. */
  add(item: T, most: number): boolean {
    const line = [...(this.lines.get(item.job.id) ?? []), item];
    line.sort((one, other) => one.scheduledAt - other.scheduledAt);
    const isTooLong = line.length > most;
    this.lines.set(item.job.id, isTooLong ? line.slice(1) : line);
    return isTooLong;
  }

  takeFirst(jobId: string): T | undefined {
    const line = this.lines.get(jobId);
    const first = line?.shift();
    if (line?.length === 0) this.lines.delete(jobId);
    return first;
  }

  some(isSo: (item: T) => boolean): boolean {
    return [...this.lines.values()].some((line) => line.some(isSo));
  }

  count(isSo: (item: T) => boolean): number {
    return [...this.lines.values()].reduce((sum, line) => sum + line.filter(isSo).length, 0);
  }

  /** Clears the queue of one job, or all queues. */
  clear(jobId?: string): void {
    if (jobId === undefined) this.lines.clear();
    else this.lines.delete(jobId);
  }
}
