import type { AlarmClock } from "../../../lib/time/clock.ts";
import type { FleetStatus } from "../cluster/fleet-status.ts";
import type { DeadInstance } from "../cluster/lease-store.ts";
import { leaseMs, type Membership, toSeconds } from "../cluster/membership.ts";
import type { CronLogger } from "../logger.ts";
import type { Runner } from "../runs/runner.ts";
import type { RunningRun, RunStore } from "../runs/store/run-store.ts";
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
  /** Reads what concerns this instance in a shared store. */
  readStatus(): Promise<FleetStatus>;
  /** Applies changes to jobs and schedules that other instances stored; `changes` is that of the status. */
  applyStoredChanges(changes: string): Promise<void>;
  /** Called with the time at which the queue should be read, because another instance may have added a run to it. */
  onQueued(runAt: number): void;
}

/**
 * Maintenance interval. A single instance mainly writes its heartbeat; shared stores are also checked for changes made
 * by other instances.
 */
const aloneMs = 10_000;
const sharedMs = 3_000;

/** Ticks due within this margin may not have been processed yet when the heartbeat is written. */
const heartbeatMarginMs = 5_000;

/** One heartbeat is enough for all instances. With the interval of rounds, it is at most 9 seconds old. */
const heartbeatMs = 6_000;

/** Periodic maintenance: interrupts orphaned runs, applies changes made by other instances and writes the heartbeat. */
export class RunRecovery {
  private readonly options: RunRecoveryOptions;
  private cancelTimer: (() => void) | undefined;
  private maintenance: Promise<void> | undefined;
  private isStopped = false;
  /** The number of instances that run jobs, in the last round, and the position of this one among them. */
  instanceCount = 1;
  rank = 0;

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
    const { runs, membership, runner, instance } = this.options;
    const ours = runner.activeIds();
    // Read the runs before the instances: an instance always has a lease before it starts a run.
    const running = await runs.running();
    const { live, dead } = await membership.instances();
    const alive = new Set(live.map(({ id }) => id));
    const workers = live.filter(({ runsJobs }) => runsJobs);
    this.instanceCount = workers.length;
    this.rank = workers.filter(({ id }) => id < instance).length;
    const lost = running.filter((run) =>
      run.instance === instance ? !runner.knows(run.id) : !alive.has(run.instance),
    );
    await this.interrupt(lost, dead);
    // Last: other instances find the last renewal only in the lease.
    if (dead.length > 0) await membership.forget(dead.map(({ id }) => id));
    const known = new Set(running.map(({ id }) => id));
    for (const id of ours) if (!known.has(id)) runner.find(id)?.execution.abandon();
  }

  /** The runs of a dead instance end with the last renewal of its lease. */
  private async interrupt(lost: readonly RunningRun[], dead: readonly DeadInstance[]): Promise<void> {
    const { runs, clock, logger, isShared } = this.options;
    const renewals = new Map(dead.map(({ id, renewedAt }) => [id, renewedAt]));
    const reason = isShared
      ? `no heartbeat from the instance for ${toSeconds(leaseMs)}`
      : "the process ended during the run";
    let count = 0;
    for (const [instance, left] of Map.groupBy(lost, ({ instance }) => instance)) {
      const at = renewals.get(instance) ?? (await this.lastHeartbeat());
      const ids = left.map(({ id }) => id);
      count += (await runs.interrupt(ids, { at, now: clock.now(), reason })).length;
    }
    // Some may have ended meanwhile.
    if (count > 0) logger.warn("Marked orphaned job runs as interrupted", { count });
  }

  /** Time until which all ticks have been processed by some instance; `undefined` before the first start. */
  async readHeartbeat(): Promise<number | undefined> {
    const until = await this.options.settings.get("alive_until");
    return until === undefined ? undefined : Number(until);
  }

  async writeHeartbeat(until = this.options.clock.now() - heartbeatMarginMs): Promise<void> {
    await this.options.settings.set("alive_until", `${until}`);
  }

  private runMaintenance(): Promise<void> {
    return this.attempt(() => (this.options.isShared ? this.followFleet() : this.maintainAlone()));
  }

  /** A step that fails must not prevent the others. */
  private async attempt(step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      this.options.logger.warn("Cron maintenance failed", { error });
    }
  }

  private async maintainAlone(): Promise<void> {
    await this.attempt(() => this.recoverOrphanedRuns());
    if (this.options.isTicking()) await this.writeHeartbeat();
  }

  /** One statement, and others only if there is something to do: many instances do this every few seconds. */
  private async followFleet(): Promise<void> {
    const { readStatus, applyStoredChanges, onQueued, runner, isTicking, clock } = this.options;
    const ours = runner.activeIds();
    const status = await readStatus();
    this.instanceCount = status.instanceCount;
    this.rank = status.rank;
    if (status.hasDead || this.isWrongAbout(ours, status.ownRuns))
      await this.attempt(() => this.recoverOrphanedRuns());
    await this.attempt(() => applyStoredChanges(status.changes));
    if (status.queuedAt !== undefined) onQueued(status.queuedAt);
    if (status.hasCancelRequests) await this.attempt(() => this.applyCancelRequests());
    const { aliveUntil = Number.NEGATIVE_INFINITY } = status;
    // It is in the future after the clock was set back.
    const isWrong = Math.abs(clock.now() - heartbeatMarginMs - aliveUntil) >= heartbeatMs;
    if (isTicking() && isWrong) await this.writeHeartbeat();
  }

  /** Whether runs are stored for this instance that it does not execute, or the other way around. */
  private isWrongAbout(active: readonly string[], stored: readonly string[]): boolean {
    const known = new Set(stored);
    return active.some((id) => !known.has(id)) || stored.some((id) => !this.options.runner.knows(id));
  }

  /** Cancels runs of this instance for which another instance stored a cancel request. */
  private async applyCancelRequests(): Promise<void> {
    const { runs, runner, instance } = this.options;
    for (const { id, actor } of await runs.cancelRequests(instance)) {
      runner.find(id)?.execution.cancel(actor || undefined);
    }
  }

  /** The last heartbeat of the scheduler. On SQLite, that is the last process. */
  private async lastHeartbeat(): Promise<number> {
    const now = this.options.clock.now();
    const until = await this.readHeartbeat();
    return until === undefined ? now : Math.min(now, until + heartbeatMarginMs);
  }
}
