import { Backlog, type WaitingTick } from "./backlog.ts";

export interface RoomOptions<T extends WaitingTick> {
  /** The most runs that are in progress on this instance. Undefined: any number. */
  readonly concurrency: number | undefined;
  /** The number of runs that are in progress or may be beginning on this instance. */
  countRuns(): number;
  /** Begins ticks. Those without room are to be added with `hold`. */
  begin(ticks: T[]): Promise<void>;
  /** Which of these ticks have run, and which of their jobs are running. */
  findSettled(ticks: readonly T[]): Promise<Settled<T>>;
  /** Called with a tick whose job was running when it was due. */
  onSkip(tick: T): void;
  /** Called with a tick that does not wait, because too many of its job do. */
  onDrop(tick: T): void;
  /** Called when ticks begin to wait. */
  onWait(): void;
  onError(error: unknown): void;
}

export interface Settled<T> {
  readonly done: ReadonlySet<T>;
  readonly busy: ReadonlySet<T>;
}

/**
 * Ticks that wait for room: until fewer runs are in progress on this instance, or in their job group. Every instance has
 * the ticks that it could not begin, and the first one with room begins them.
 */
export class Room<T extends WaitingTick> {
  private readonly options: RoomOptions<T>;
  readonly backlog = new Backlog<T>();
  private working: Promise<void> | undefined;
  private isChanged = false;

  constructor(options: RoomOptions<T>) {
    this.options = options;
  }

  /** The number of runs that may begin on this instance. */
  get free(): number {
    const { concurrency = Number.POSITIVE_INFINITY, countRuns } = this.options;
    return Math.max(0, concurrency - countRuns());
  }

  /** Returns the ticks that may begin now. The others wait. */
  admit(ticks: readonly T[]): T[] {
    const { free } = this;
    const admitted: T[] = [];
    for (const tick of ticks) {
      if (admitted.length < free && !this.isBehindOthers(tick)) admitted.push(tick);
      else this.hold(tick);
    }
    return admitted;
  }

  /** Lets a tick wait for room. */
  hold(tick: T): void {
    const { onDrop, onWait } = this.options;
    const wasEmpty = this.backlog.size === 0;
    const dropped = this.backlog.add(tick);
    if (dropped) onDrop(dropped);
    if (wasEmpty && !tick.hasWaited) onWait();
    if (!tick.hasWaited) this.isChanged = true;
  }

  /** Begins the ticks that there is room for. */
  fill(): Promise<void> {
    this.isChanged ||= this.working !== undefined;
    this.working ??= this.work().finally(() => {
      this.working = undefined;
    });
    return this.working;
  }

  private async work(): Promise<void> {
    try {
      do {
        this.isChanged = false;
        if (this.backlog.size === 0) return;
        await this.removeSettled();
        await this.beginWaiting();
      } while (this.isChanged);
    } catch (error) {
      this.options.onError(error);
    }
  }

  /** Other instances may have begun some of the ticks. */
  private async removeSettled(): Promise<void> {
    const { ticks } = this.backlog;
    const { done, busy } = await this.options.findSettled(ticks);
    const skipped = new Set(ticks.filter((tick) => busy.has(tick) && !tick.hasWaited && !done.has(tick)));
    const isGone = (tick: T) => done.has(tick) || skipped.has(tick);
    this.backlog.replace(ticks, (tick) => (isGone(tick) ? undefined : { ...tick, hasWaited: true }));
    for (const tick of skipped) this.options.onSkip(tick);
  }

  private async beginWaiting(): Promise<void> {
    // Runs that cannot begin are tried again later, so that they do not keep others from beginning.
    const tried = { jobs: new Set<string>(), groups: new Set<string | undefined>() };
    for (;;) {
      const isUntried = ({ job }: T) =>
        !tried.jobs.has(job.id) && (job.group === undefined || !tried.groups.has(job.group));
      const ticks = this.backlog.take(this.free, (tick) => tick.hasWaited === true && isUntried(tick));
      if (ticks.length === 0) return;
      await this.options.begin(ticks);
      for (const tick of ticks.filter((each) => this.backlog.has(each))) {
        tried.jobs.add(tick.job.id);
        tried.groups.add(tick.job.group);
      }
    }
  }

  /** Ticks that wait come first. */
  private isBehindOthers(tick: T): boolean {
    if (tick.hasWaited) return false;
    if (this.options.concurrency !== undefined && this.backlog.size > 0) return true;
    return this.backlog.hasGroup(tick.job.group);
  }
}
