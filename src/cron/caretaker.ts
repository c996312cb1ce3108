import type { AlarmClock } from "../lib/clock.ts";
import type { Decisions } from "./decisions.ts";
import type { JobStore } from "./job-store.ts";
import type { Peers } from "./peers.ts";
import type { RunStore } from "./runs/run-store.ts";
import type { CronLogger, Runner } from "./runs/runner.ts";

export interface CaretakerOptions {
  readonly instance: string;
  readonly clock: AlarmClock;
  readonly logger: CronLogger;
  readonly runs: RunStore;
  readonly jobs: JobStore;
  readonly peers: Peers;
  readonly runner: Runner;
  readonly decisions: Decisions;
  /** Whether other instances work on the same store. */
  readonly isShared: boolean;
  /** Whether the schedules are being looked after. */
  isTicking(): boolean;
}

/** How often it goes round: alone it mostly leaves a mark, with others it also looks what they did. */
const aloneMs = 10_000;
const sharedMs = 3_000;

/** A tick of the very last moment may not have been looked at when the mark is left. */
const markMarginMs = 5_000;

/** Goes round all the time: ends runs that nobody runs any more, follows other instances, leaves a sign of life. */
export class Caretaker {
  private readonly options: CaretakerOptions;
  private cancelTimer: (() => void) | undefined;
  private round: Promise<void> | undefined;
  private isStopped = false;

  constructor(options: CaretakerOptions) {
    this.options = options;
  }

  start(): void {
    if (this.isStopped) return;
    const { clock, isShared } = this.options;
    this.cancelTimer = clock.after(isShared ? sharedMs : aloneMs, async () => {
      this.round = this.goRound();
      await this.round;
      this.start();
    });
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.cancelTimer?.();
    await this.round;
  }

  /** Ends runs that nobody is running: those of instances that are no more, and our own of which we know nothing. */
  async settleLost(): Promise<void> {
    const { runs, peers, runner, instance, logger } = this.options;
    const ours = runner.activeIds();
    // Read before the instances are: whoever has a run has shown before that it is alive.
    const running = await runs.running();
    const alive = new Set(await peers.beat());
    const lost = running.filter((run) =>
      run.instance === instance ? !runner.knows(run.id) : !alive.has(run.instance),
    );
    if (lost.length > 0) {
      const ids = lost.map(({ id }) => id);
      await runs.interrupt(ids, await this.lastSignOfLife());
      logger.warn("Runs that nobody runs any more were marked as interrupted", { count: lost.length });
    }
    const known = new Set(running.map(({ id }) => id));
    for (const id of ours) if (!known.has(id)) runner.find(id)?.execution.disown();
  }

  /** Until when every tick has been looked after by some instance; `undefined` before the first start. */
  async readMark(): Promise<number | undefined> {
    const mark = await this.options.jobs.setting("alive_until");
    return mark === undefined ? undefined : Number(mark);
  }

  async leaveMark(until = this.options.clock.now() - markMarginMs): Promise<void> {
    await this.options.jobs.changeSetting("alive_until", `${until}`);
  }

  private async goRound(): Promise<void> {
    const { isShared, decisions, logger, isTicking } = this.options;
    try {
      await this.settleLost();
      if (isShared) await decisions.read();
      if (isShared) await this.cancelAsked();
      if (isTicking()) await this.leaveMark();
    } catch (error) {
      logger.warn("The state of the jobs could not be kept in the store", { error });
    }
  }

  /** Cancels our runs that somebody has cancelled on another instance. */
  private async cancelAsked(): Promise<void> {
    const { runs, runner, instance } = this.options;
    for (const { id, actor } of await runs.cancelRequests(instance)) {
      runner.find(id)?.execution.cancel(actor || undefined);
    }
  }

  private async lastSignOfLife(): Promise<number> {
    const now = this.options.clock.now();
    const mark = await this.readMark();
    return mark === undefined ? now : Math.min(now, mark + markMarginMs);
  }
}
