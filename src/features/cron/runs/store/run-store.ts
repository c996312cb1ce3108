import { type Kysely, sql } from "kysely";
import type { Database } from "../../../../storage/index.ts";
import type { GroupLimits } from "../../limits/group-limits.ts";
import { lockQueued } from "../../queue/queue-store.ts";
import type { CronTables } from "../../tables.ts";
import { parseTick, tickName } from "../../tick-name.ts";
import { slices } from "../batch.ts";
import type { RunEnd } from "../run.ts";
import { type BegunRuns, insertAll, type NewRun } from "./begin-runs.ts";
import { endRuns } from "./end-runs.ts";
import { type InterruptedRun, type InterruptOptions, interruptRuns } from "./interrupt-runs.ts";
import { type Purged, type PurgeSelection, purgeRuns } from "./purge-runs.ts";
import { addError, saveOutput, type WrittenOutput } from "./run-output.ts";

export interface RunningRun {
  readonly id: string;
  readonly instance: string;
}

/** Writes runs when they begin, while they are in progress and when they end. */
export interface RunStore {
  /**
   * Stores the runs that may begin and returns their IDs. Skips ticks that have already run, runs excluded by another
   * run, and runs beyond the limit of their group. `queued` runs begin only if they are still in the queue, and leave it.
   * In a shared database, no run begins without the lease of its instance, and none before it is due.
   */
  begin(runs: NewRun[], queued?: readonly string[]): Promise<BegunRuns>;
  /** Returns the runs of an instance that were stored although the confirmation was lost. */
  findBegun(ids: string[], instance: string): Promise<Set<string>>;
  /** Returns the ticks that have a run. */
  findTicks(ticks: string[]): Promise<Set<string>>;
  /** Returns those of these jobs that have an exclusive run in progress. */
  findBusyJobs(ids: string[]): Promise<Set<string>>;
  saveOutput(runs: WrittenOutput[]): Promise<void>;
  end(runs: RunEnd[]): Promise<void>;
  /** Adds an error to the output of a run that has ended. */
  addError(id: string, message: string): Promise<void>;
  /** All runs marked as in progress, including those of crashed processes. */
  running(): Promise<RunningRun[]>;
  /**
   * Marks runs as interrupted unless they have ended, and queues the retries that they are to have. Returns the runs
   * that it marked.
   */
  interrupt(ids: string[], options: InterruptOptions): Promise<InterruptedRun[]>;
  /** Stores a cancel request. Returns false if the run has already ended. */
  requestCancel(id: string, actor: string): Promise<boolean>;
  /** Cancel requests for the runs of an instance. */
  cancelRequests(instance: string): Promise<{ id: string; actor: string }[]>;
  /** Deletes up to `limit` finished runs, the oldest first. */
  purge(selection: PurgeSelection, limit: number): Promise<Purged>;
}

export interface RunStoreOptions {
  /** The most runs of each job group that are in progress at the same time. */
  readonly limits?: GroupLimits;
  /** Whether runs begin only while their instance has a lease. PostgreSQL only. Default false. */
  readonly needsLease?: boolean;
}

export function createRunStore(
  database: Database,
  { limits = {}, needsLease = false }: RunStoreOptions = {},
): RunStore {
  const { engine } = database;
  const tables = database.tables<CronTables>();
  return {
    begin: (runs, queued = []) =>
      database.transaction<CronTables, BegunRuns>(async (trx) => {
        const beginning = { trx, engine, limits, needsLease };
        if (queued.length === 0) return insertAll(beginning, runs);
        const locked = await lockQueued({ trx, engine }, queued);
        const startable = runs.filter(({ id }) => locked.has(id) || !queued.includes(id));
        const stored = await insertAll(beginning, startable);
        const left = queued.filter((id) => stored.begun.has(id));
        if (left.length > 0) await trx.deleteFrom("annex_cron_queue").where("id", "in", left).execute();
        return stored;
      }),

    async findBegun(ids, instance) {
      const rows = await tables
        .selectFrom("annex_cron_runs")
        .select("id")
        .where("status", "=", "running")
        .where("instance", "=", instance)
        .where("id", "in", ids)
        .execute();
      return new Set(rows.map(({ id }) => id));
    },

    findTicks: (ticks) => findTicks(database, ticks),

    async findBusyJobs(ids) {
      const rows = await tables
        .selectFrom("annex_cron_runs")
        .select("exclusive")
        .where("exclusive", "in", ids)
        .execute();
      return new Set(rows.map(({ exclusive }) => exclusive!));
    },

    saveOutput: (runs) => database.transaction<CronTables, void>((trx) => saveOutput({ trx, engine }, runs)),

    // Others may have given up a run that has finished after all.
    end: (runs) =>
      database.transaction<CronTables, void>(
        async (trx) => void (await endRuns({ trx, engine }, runs, ["running", "interrupted"])),
      ),

    addError: (id, message) =>
      database.transaction<CronTables, void>((trx) => addError({ trx, engine }, id, message)),

    running: () =>
      tables
        .selectFrom("annex_cron_runs")
        .select(["id", "instance"])
        .where("status", "=", "running")
        .execute(),

    interrupt: (ids, options) =>
      database.transaction<CronTables, InterruptedRun[]>((trx) =>
        interruptRuns({ trx, engine }, ids, options),
      ),

    async requestCancel(id, actor) {
      const { numUpdatedRows } = await tables
        .updateTable("annex_cron_runs")
        .set({ cancelled_by: actor })
        .where("id", "=", id)
        .where("status", "=", "running")
        .executeTakeFirst();
      return numUpdatedRows > 0;
    },

    async cancelRequests(instance) {
      const rows = await tables
        .selectFrom("annex_cron_runs")
        .select(["id", "cancelled_by"])
        .where("status", "=", "running")
        .where("instance", "=", instance)
        .where("cancelled_by", "is not", null)
        .execute();
      return rows.map(({ id, cancelled_by }) => ({ id, actor: cancelled_by! }));
    },

    purge: (selection, limit) =>
      database.transaction<CronTables, Purged>((trx) => purgeRuns({ trx, engine }, selection, limit)),
  };
}

async function findTicks(database: Database, ticks: string[]): Promise<Set<string>> {
  const tables = database.tables<CronTables>();
  if (database.engine === "sqlite") return findTickColumns(tables, ticks);
  // An array is one parameter, so PostgreSQL needs one statement for any number.
  const rows = await tables
    .selectFrom("annex_cron_runs")
    .select("tick")
    .where(sql<boolean>`tick = any(${ticks})`)
    .execute();
  return new Set(rows.map(({ tick }) => tick!));
}

/** SQLite has no names of ticks, only their parts. */
async function findTickColumns(tables: Kysely<CronTables>, ticks: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (const part of slices(ticks)) {
    const wanted = part.map((tick) => {
      const { jobId, scheduledAt, attempt } = parseTick(tick);
      return sql`(${jobId}, ${scheduledAt}, ${attempt})`;
    });
    const rows = await tables
      .selectFrom("annex_cron_runs")
      .select(["job_id", "scheduled_at", "attempt"])
      .where("tick", "is not", null)
      .where(sql<boolean>`(job_id, scheduled_at, attempt) in (values ${sql.join(wanted)})`)
      .execute();
    for (const { job_id, scheduled_at, attempt } of rows) found.add(tickName(job_id, scheduled_at, attempt));
  }
  return found;
}
