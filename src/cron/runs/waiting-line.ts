/** Something of a job that is for a certain moment. */
interface Waiting {
  readonly job: { readonly id: string };
  readonly scheduledAt: number;
}

/** What could not begin yet, job by job, the earliest first. */
export class WaitingLine<T extends Waiting> {
  private readonly lines = new Map<string, T[]>();

  get isEmpty(): boolean {
    return this.lines.size === 0;
  }

  /** The jobs of which something waits. */
  get jobIds(): string[] {
    return [...this.lines.keys()];
  }

  /** Takes one in. When more than that many of its job wait, the earliest has to leave; tells whether one had to. */
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

  /** Sends away what waits of one job, or of all. */
  clear(jobId?: string): void {
    if (jobId === undefined) this.lines.clear();
    else this.lines.delete(jobId);
  }
}
