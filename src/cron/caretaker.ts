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
  /** Whether other instances use the same store. */
  readonly isShared: boolean;
  /** Whether the scheduler is running. */
  isTicking(): boolean;
}

/**
 * Maintenance interval. A single instance mainly writes its heartbeat; shared stores are also checked for changes made
 * by other instances.
 */
const aloneMs = 10_000;
const sharedMs = 3_000;

/** Ticks due within this margin may not have been processed yet when the heartbeat is written. */
const markMarginMs = 5_000;

/** Periodic maintenance: interrupts orphaned runs, applies changes made by other instances and writes the heartbeat. */
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

  /** Interrupts orphaned runs: runs of dead instances, and runs stored for this instance that it is not executing. */
  async settleLost(): Promise<void> {
    const { runs, peers, runner, instance, logger } = this.options;
    const ours = runner.activeIds();
    // Read the runs before the instances: an instance always sends a heartbeat before it starts a run.
    const running = await runs.running();
    const alive = new Set(await peers.beat());
    const lost = running.filter((run) =>
      run.instance === instance ? !runner.knows(run.id) : !alive.has(run.instance),
    );
    if (lost.length > 0) {
      const ids = lost.map(({ id }) => id);
      await runs.interrupt(ids, await this.lastSignOfLife());
      logger.warn("Marked orphaned job runs as interrupted", { count: lost.length });
    }
    const known = new Set(running.map(({ id }) => id));
    for (const id of ours) if (!known.has(id)) runner.find(id)?.execution.disown();
  }

  /** Time until which all ticks have been processed by some instance; `undefined` before the first start. */
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
      logger.warn("Cron maintenance failed", { error });
    }
  }

  /** Cancels runs of this instance for which another instance stored a cancel request. */
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
