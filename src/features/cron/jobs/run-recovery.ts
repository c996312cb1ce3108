import type { AlarmClock } from "../../../lib/time/clock.ts";
import { leaseMs, type Membership, toSeconds } from "../cluster/membership.ts";
import type { CronLogger } from "../logger.ts";
import type { RunStore } from "../runs/run-store.ts";
import type { Runner } from "../runs/runner.ts";
import type { SchedulerSettings } from "../scheduler-settings.ts";

export interface RunRecoveryOptions {
  readonly instance: string;
  readonly clock: AlarmClock;
  readonly logger: CronLogger;
  readonly runs: RunStore;
  readonly settings: SchedulerSettings;
  readonly membership: Membership;
  readonly runner: Runner;
  /** Whether other instances use the same store. */
  readonly isShared: boolean;
  /** Whether the scheduler is running. */
  isTicking(): boolean;
  /** Applies changes to jobs and schedules that other instances stored. */
  applyStoredChanges(): Promise<void>;
}

/**
 * Maintenance interval. A single instance mainly writes its heartbeat; shared stores are also checked for changes made
 * by other instances.
 */
const aloneMs = 10_000;
const sharedMs = 3_000;

/** Ticks due within this margin may not have been processed yet when the heartbeat is written. */
const heartbeatMarginMs = 5_000;

/** Periodic maintenance: interrupts orphaned runs, applies changes made by other instances and writes the heartbeat. */
export class RunRecovery {
  private readonly options: RunRecoveryOptions;
  private cancelTimer: (() => void) | undefined;
  private maintenance: Promise<void> | undefined;
  private isStopped = false;
  /** The number of instances in the last round. */
  instanceCount = 1;

  constructor(options: RunRecoveryOptions) {
    this.options = options;
  }

  start(): void {
    if (this.isStopped) return;
    const { clock, isShared } = this.options;
    this.cancelTimer = clock.after(isShared ? sharedMs : aloneMs, async () => {
      this.maintenance = this.runMaintenance();
      await this.maintenance;
      this.start();
    });
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.cancelTimer?.();
    await this.maintenance;
  }

  /** Interrupts orphaned runs: runs of dead instances, and runs stored for this instance that it is not executing. */
  async recoverOrphanedRuns(): Promise<void> {
    const { runs, membership, runner, instance, logger, isShared } = this.options;
    const ours = runner.activeIds();
    // Read the runs before the instances: an instance always has a lease before it starts a run.
    const running = await runs.running();
    const alive = new Set((await membership.live()).map(({ id }) => id));
    this.instanceCount = alive.size;
    const lost = running.filter((run) =>
      run.instance === instance ? !runner.knows(run.id) : !alive.has(run.instance),
    );
    if (lost.length > 0) {
      const ids = lost.map(({ id }) => id);
      const reason = isShared
        ? `no heartbeat from the instance for ${toSeconds(leaseMs)}`
        : "the process ended during the run";
      const at = await this.lastHeartbeat();
      const interrupted = await runs.interrupt(ids, { at, now: this.options.clock.now(), reason });
      // Some may have ended meanwhile.
      if (interrupted.length > 0)
        logger.warn("Marked orphaned job runs as interrupted", { count: interrupted.length });
    }
    const known = new Set(running.map(({ id }) => id));
    for (const id of ours) if (!known.has(id)) runner.find(id)?.execution.abandon();
  }

  /** Time until which all ticks have been processed by some instance; `undefined` before the first start. */
  async readHeartbeat(): Promise<number | undefined> {
    const until = await this.options.settings.get("alive_until");
    return until === undefined ? undefined : Number(until);
  }

  async writeHeartbeat(until = this.options.clock.now() - heartbeatMarginMs): Promise<void> {
    await this.options.settings.set("alive_until", `${until}`);
  }

  private async runMaintenance(): Promise<void> {
    const { isShared, applyStoredChanges, logger, isTicking } = this.options;
    try {
      await this.recoverOrphanedRuns();
      if (isShared) await applyStoredChanges();
      if (isShared) await this.applyCancelRequests();
      if (isTicking()) await this.writeHeartbeat();
    } catch (error) {
      logger.warn("Cron maintenance failed", { error });
    }
  }

  /** Cancels runs of this instance for which another instance stored a cancel request. */
  private async applyCancelRequests(): Promise<void> {
    const { runs, runner, instance } = this.options;
    for (const { id, actor } of await runs.cancelRequests(instance)) {
      runner.find(id)?.execution.cancel(actor || undefined);
    }
  }

  private async lastHeartbeat(): Promise<number> {
    const now = this.options.clock.now();
    const until = await this.readHeartbeat();
    return until === undefined ? now : Math.min(now, until + heartbeatMarginMs);
  }
}
