import { sql } from "kysely";
import type { Database } from "../../../storage/index.ts";
import { type CronTables, databaseNow } from "../tables.ts";

/**
 * An instance is alive until its lease expires. The database sets and compares all times, so the clocks of the machines
 * do not matter.
 */
export interface LeaseStore {
  /** Extends the lease of this instance. Returns the time of the database. */
  renew(): Promise<number>;
  read(): Promise<Instances>;
  /** Deletes the leases of these instances, if they have expired. */
  forget(ids: readonly string[]): Promise<void>;
  release(): Promise<void>;
}

/** All instances that have a lease. */
export interface Instances {
  readonly live: readonly LiveInstance[];
  /** Those whose lease has expired. */
  readonly dead: readonly DeadInstance[];
}

export interface DeadInstance {
  readonly id: string;
  /** When it renewed its lease for the last time. */
  readonly renewedAt: number;
}

export interface LiveInstance {
  readonly id: string;
  readonly name: string;
  /** Whether the instance runs jobs. If not, it only serves. */
  readonly runsJobs: boolean;
}

export interface LeaseOptions {
  /** Unique for each process. */
  readonly id: string;
  /** The name that people know. */
  readonly name: string;
  readonly runsJobs: boolean;
  readonly leaseMs: number;
}

export function createLeaseStore(database: Database, lease: LeaseOptions): LeaseStore {
  const { id, name, leaseMs } = lease;
  const runs_jobs = Number(lease.runsJobs);
  const tables = database.tables<CronTables>();
  return {
    async renew() {
      const { renewed_at } = await tables
        .insertInto("annex_cron_instances")
        .values({
          id,
          name,
          runs_jobs,
          renewed_at: databaseNow,
          expires_at: sql`${databaseNow} + ${sql.lit(leaseMs)}`,
        })
        .onConflict((conflict) =>
          conflict.column("id").doUpdateSet((eb) => ({
            renewed_at: eb.ref("excluded.renewed_at"),
            expires_at: eb.ref("excluded.expires_at"),
          })),
        )
        .returning("renewed_at")
        .executeTakeFirstOrThrow();
      return renewed_at;
    },

    async read() {
      const rows = await tables
        .selectFrom("annex_cron_instances")
        .select((eb) => [
          ...(["id", "name", "runs_jobs", "renewed_at"] as const),
          eb("expires_at", ">=", databaseNow).as("is_live"),
        ])
        .execute();
      const { live = [], dead = [] } = Object.groupBy(rows, ({ is_live }) => (is_live ? "live" : "dead"));
      return {
        live: live.map(({ id, name, runs_jobs }) => ({ id, name, runsJobs: runs_jobs === 1 })),
        dead: dead.map(({ id, renewed_at }) => ({ id, renewedAt: renewed_at })),
      };
    },

    async forget(ids) {
      await tables
        .deleteFrom("annex_cron_instances")
        .where("id", "in", ids)
        .where("expires_at", "<", databaseNow)
        .execute();
    },

    async release() {
      await tables.deleteFrom("annex_cron_instances").where("id", "=", id).execute();
    },
  };
}
