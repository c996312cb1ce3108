import { sql } from "kysely";
import type { Database } from "../../../storage/index.ts";
import { databaseNow } from "../tables.ts";

/** What an instance has to know about the database that it shares with others, read with one statement. */
export interface FleetStatus {
  /**
   * The number of instances that are alive and run jobs, and how many of them come before this one in the order of their IDs. This one
   * is not among them if its lease has expired.
   */
  readonly instanceCount: number;
  readonly rank: number;
  /** Whether an instance is dead that has a lease, or runs that are marked as in progress. */
  readonly hasDead: boolean;
  /** The runs of this instance that are marked as in progress. */
  readonly ownRuns: readonly string[];
  readonly hasCancelRequests: boolean;
  /** A text that differs whenever jobs were paused, resumed, removed or restored, or the time zone was changed. */
  readonly changes: string;
  /** Time until which all ticks have been processed by some instance. */
  readonly aliveUntil: number | undefined;
  /** When the first run in the queue is due. */
  readonly queuedAt: number | undefined;
}

interface StatusRow {
  readonly workers: number;
  readonly rank: number;
  readonly expired: number;
  readonly own: string[] | null;
  readonly cancelled: number;
  readonly orphaned: number;
  readonly switched: string | null;
  readonly timezone: string | null;
  readonly alive_until: string | null;
  readonly queued_at: number | null;
}

/**
 * Reads the status. PostgreSQL only, because SQLite has a single instance.
 *
 * The state of jobs is compared as a whole, instead of a version number that each change increments. So a change counts
 * regardless of who made it, and of the order in which changes are committed. Sums and last runs are not part of it.
 */
export async function readFleetStatus(database: Database, instance: string): Promise<FleetStatus> {
  const { rows } = await sql<StatusRow>`
    with leases as (
      select id, runs_jobs = 1 as is_worker, expires_at >= ${databaseNow} as is_live from annex_cron_instances
    ), fleet as (
      select count(*) filter (where is_live and is_worker) as workers,
        count(*) filter (where is_live and is_worker and id < ${instance}) as rank,
        count(*) filter (where not is_live) as expired
      from leases
    ), running as (
      select array_agg(run.id) filter (where instance = ${instance}) as own,
        count(*) filter (where instance = ${instance} and cancelled_by is not null) as cancelled,
        count(*) filter (where instance <> ${instance} and is_live is not true) as orphaned
      from annex_cron_runs as run left join leases on leases.id = instance
      where status = 'running'
    ), jobs as (
      select md5(string_agg(concat_ws(' ', job_id, coalesce(paused_at, 0), coalesce(removed_at, 0)), ',' order by job_id))
        as switched
      from annex_cron_jobs where paused_at is not null or removed_at is not null
    ), settings as (
      select max(value) filter (where name = 'timezone') as timezone,
        max(value) filter (where name = 'alive_until') as alive_until
      from annex_cron_settings
    ), queue as (
      select min(run_at) as queued_at from annex_cron_queue
    )
    select * from fleet, running, jobs, settings, queue`.execute(database.tables());
  const { workers, rank, expired, own, cancelled, orphaned, switched, timezone, alive_until, queued_at } =
    rows[0]!;
  return {
    instanceCount: workers,
    rank,
    hasDead: expired > 0 || orphaned > 0,
    ownRuns: own ?? [],
    hasCancelRequests: cancelled > 0,
    changes: `${timezone} ${switched}`,
    aliveUntil: alive_until === null ? undefined : Number(alive_until),
    queuedAt: queued_at === null ? undefined : Number(queued_at),
  };
}
