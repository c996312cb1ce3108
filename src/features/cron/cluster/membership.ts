import type { HealthIssue } from "../../../feature/index.ts";
import type { Database } from "../../../storage/index.ts";
import type { CronLogger } from "../logger.ts";
import type { Beat, Heartbeat } from "./heartbeat.ts";
import type { Instances, LeaseStore, LiveInstance } from "./lease-store.ts";
import { OffsetEstimate } from "./offset-estimate.ts";
import type { SharedClock } from "./shared-clock.ts";

/** Whether this instance belongs to those that run jobs, and which others do. */
export interface Membership {
  /** Has no effect on a member. */
  join(): Promise<void>;
  /** Whether this instance may run jobs. */
  readonly isMember: boolean;
  /** All instances, including this one. */
  instances(): Promise<Instances>;
  /** Forgets instances that are dead and have left nothing to be ended. */
  forget(ids: readonly string[]): Promise<void>;
  leave(): Promise<void>;
  healthIssues(): readonly HealthIssue[];
}

/** What a membership is created with. */
export interface FleetParts {
  readonly database: Database;
  readonly clock: SharedClock;
  readonly logger: CronLogger;
  /** Unique for each process. */
  readonly id: string;
  /** The name that people know. */
  readonly name: string;
  /** Whether this instance runs jobs. If not, it only serves. */
  readonly runsJobs: boolean;
  /** Called when this instance may not run jobs any more. */
  onLost(): void;
}

/** For others, an instance is dead after this time without a heartbeat. */
export const leaseMs = 15_000;

/**
 * An instance stops itself earlier, so that its runs have ended before others take them over. The time counts from when
 * its last renewal was sent, which is before the database set the lease.
 */
const fenceMs = 9_000;

const watchMs = 1_000;
const warnAboveMs = 1_000;

export interface FleetMembershipOptions extends Pick<FleetParts, "clock" | "logger" | "onLost"> {
  readonly leases: LeaseStore;
  readonly heartbeat: Heartbeat;
}

/** An instance of a fleet. Without heartbeats, it fences itself, and it rejoins with the next one. */
export class FleetMembership implements Membership {
  private readonly options: FleetMembershipOptions;
  private readonly estimate = new OffsetEstimate();
  private cancelTimer: (() => void) | undefined;
  private state: "joining" | "member" | "fenced" = "joining";
  private warnedMs = 0;
  private last: Beat | undefined;
  private hasLeft = false;

  constructor(options: FleetMembershipOptions) {
    this.options = options;
  }

  async join(): Promise<void> {
    if (this.cancelTimer) return;
    await this.options.heartbeat.start((beat) => this.confirm(beat));
    this.watch();
  }

  get isMember(): boolean {
    const { clock, heartbeat } = this.options;
    return clock.elapsed() - heartbeat.lastSentAt() < fenceMs;
  }

  instances(): Promise<Instances> {
    return this.options.leases.read();
  }

  forget(ids: readonly string[]): Promise<void> {
    return this.options.leases.forget(ids);
  }

  async leave(): Promise<void> {
    this.hasLeft = true;
    this.cancelTimer?.();
    await this.options.heartbeat.stop();
  }

  healthIssues(): readonly HealthIssue[] {
    return [...this.findLoss(), ...this.findSkew()];
  }

  private findLoss(): HealthIssue[] {
    if (this.isMember || this.hasLeft || this.state === "joining") return [];
    const message = "This instance runs no jobs, because it could not renew its lease in the database.";
    return [{ id: "lease", status: "failing", message, link: { page: "cron", params: {} } }];
  }

  private findSkew(): HealthIssue[] {
    const { offset } = this.options.clock;
    if (Math.abs(offset) < warnAboveMs) return [];
    return [
      {
        id: "clock",
        status: "degraded",
        message: skewSentence(offset),
        link: { page: "config", params: {} },
      },
    ];
  }

  private confirm(beat: Beat): void {
    // After a suspension, the thread may renew the lease before the main thread notices that it had expired.
    if (this.hadExpired(beat) && this.state === "member" && !this.hasLeft) this.lose();
    this.last = beat;
    this.correctClock(beat);
    this.notice();
  }

  /** Whether the lease may have expired before this beat. The clocks of a suspended machine may have stood still. */
  private hadExpired({ confirmedAt, databaseNow }: Beat): boolean {
    const { last } = this;
    if (!last) return false;
    return confirmedAt - last.sentAt > leaseMs || databaseNow - last.databaseNow > leaseMs;
  }

  private correctClock(beat: Beat): void {
    const { clock, logger } = this.options;
    clock.follow(this.estimate.add(beat));
    const { offset } = clock;
    if (Math.abs(offset) < warnAboveMs) {
      this.warnedMs = 0;
    } else if (Math.abs(offset - this.warnedMs) >= warnAboveMs) {
      this.warnedMs = offset;
      logger.warn(skewSentence(offset), { offset_ms: Math.round(offset) });
    }
  }

  private watch(): void {
    if (this.hasLeft) return;
    this.options.heartbeat.pulse();
    this.notice();
    this.cancelTimer = this.options.clock.after(watchMs, () => this.watch());
  }

  /** Reports a change once. */
  private notice(): void {
    if (this.hasLeft) return;
    const { logger } = this.options;
    if (this.isMember && this.state !== "member") {
      if (this.state === "fenced") logger.info("The heartbeat is back: this instance runs jobs again");
      this.state = "member";
    } else if (!this.isMember && this.state === "member") {
      this.lose();
    }
  }

  private lose(): void {
    const { logger, onLost } = this.options;
    this.state = "fenced";
    logger.error(`No heartbeat for ${toSeconds(fenceMs)}: running jobs are aborted, and none are started`);
    onLost();
  }
}

function skewSentence(offset: number): string {
  const side = offset > 0 ? "behind" : "ahead of";
  return `The clock of this machine is ${toSeconds(Math.abs(offset))} ${side} the database. Jobs run by the time of the database.`;
}

/** Such as "1.5 s". */
export function toSeconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 100) / 10} s`;
}

/** A single process: the lock on the data folder rules out other instances. */
export function createSoleMembership({ id, name, runsJobs }: LiveInstance): Membership {
  return {
    join: async () => {},
    isMember: true,
    instances: async () => ({ live: [{ id, name, runsJobs }], dead: [] }),
    forget: async () => {},
    leave: async () => {},
    healthIssues: () => [],
  };
}
