import { sql } from "kysely";
import type { AlarmClock } from "../../../lib/time/clock.ts";
import type { Database } from "../../../storage/index.ts";
import type { InstanceStatus } from "../wire.ts";
import type { FleetTables } from "./tables.ts";

/** An instance as it is stored. Times are milliseconds since the epoch. */
export interface InstanceRecord {
  readonly instance: string;
  readonly startedAt: number;
  /** The time since its last heartbeat. The database measures it, because the clocks of the machines differ. */
  readonly beatAgeMs: number;
  readonly isStopped: boolean;
  readonly description: object;
  /** As stored by that instance, which may run another version of Annex. */
  readonly status?: InstanceStatus | undefined;
}

export interface InstanceStoreOptions {
  readonly database: Database;
  readonly clock: AlarmClock;
  readonly instance: string;
  readonly description: object;
}

/** Without a status, only the existence of the instance is written. */
const seenEveryMs = 30_000;
const listed = 200;

/** The instances that use the database. Each one writes its row with its metrics. */
export class InstanceStore {
  private readonly options: InstanceStoreOptions;
  private status: InstanceStatus | undefined;
  private isFresh = false;
  private isLeaving = false;
  private writtenAt: number | undefined;

  constructor(options: InstanceStoreOptions) {
    this.options = options;
  }

  /** Sets what is written about this instance with its next metrics. */
  beat(status: InstanceStatus): void {
    this.status = status;
    this.isFresh = true;
  }

  /** Sets that this instance stops. */
  leave(): void {
    this.isLeaving = true;
    this.isFresh = true;
  }

  /** Whether something is to be written even if there are no metrics. */
  get isWaiting(): boolean {
    return this.isFresh;
  }

  async write(): Promise<void> {
    const { clock, database, instance } = this.options;
    const isDue = this.writtenAt === undefined || clock.elapsed() - this.writtenAt >= seenEveryMs;
    if (!this.isFresh && !isDue) return;
    const seen_at = Math.floor(clock.now() / 1_000);
    const isFirst = this.writtenAt === undefined;
    const now = databaseTime(database, clock);
    const changes = {
      seen_at,
      description: JSON.stringify(this.options.description),
      beat_at: now,
      stopped_at: this.isLeaving ? now : null,
      status: this.status === undefined || this.isLeaving ? null : JSON.stringify(this.status),
    };
    // Changes during the statement are written with the next one.
    this.isFresh = false;
    try {
      await database
        .tables<FleetTables>()
        .insertInto("annex_metric_instances")
        .values({ instance, started_at: seen_at, ...changes })
        .onConflict((conflict) =>
          conflict.column("instance").doUpdateSet({ ...changes, ...(isFirst && { started_at: seen_at }) }),
        )
        .execute();
    } catch (error) {
      this.isFresh = true;
      throw error;
    }
    this.writtenAt = clock.elapsed();
  }

  async list(): Promise<InstanceRecord[]> {
    if (this.writtenAt === undefined) await this.write();
    const { database, clock } = this.options;
    const rows = await database
      .tables<FleetTables>()
      .selectFrom("annex_metric_instances")
      .selectAll()
      .select(databaseTime(database, clock).as("now"))
      .orderBy("seen_at", "desc")
      .limit(listed)
      .execute();
    return rows.map((row) => ({
      instance: row.instance,
      startedAt: row.started_at * 1_000,
      // Older versions of Annex write their own time only.
      beatAgeMs: Math.max(0, Number(row.now) - (row.beat_at ?? row.seen_at * 1_000)),
      isStopped: row.stopped_at !== null,
      description: JSON.parse(row.description),
      ...(row.status !== null && { status: JSON.parse(row.status) }),
    }));
  }
}

/** A file has one process, so its clock is the only one. */
function databaseTime({ engine }: Database, clock: AlarmClock) {
  return engine === "postgres"
    ? sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
    : sql<number>`cast(${clock.now()} as integer)`;
}
