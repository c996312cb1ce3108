import { type Kysely, sql, type Transaction } from "kysely";
import type { Database } from "../../../storage/index.ts";
import { type CronTables, databaseNow } from "../tables.ts";

export type QueuedRow = CronTables["annex_cron_queue"];

/** A row that is due, and whether a newer run of its job, with the same parameters, has made it superfluous. */
export type DueRow = QueuedRow & { readonly has_newer_run: boolean };

/** Where to continue after a part of the rows. */
export type QueuePosition = Pick<QueuedRow, "run_at" | "id">;

/** Stores runs that start later. */
export interface QueueStore {
  add(row: QueuedRow): Promise<void>;
  /** Rows that are due before `until`, earliest first, up to `limit`. */
  due(until: number, limit: number, after?: QueuePosition): Promise<DueRow[]>;
  find(id: string): Promise<QueuedRow | undefined>;
  findRetryOf(runId: string): Promise<QueuedRow | undefined>;
  /** Rows of a job or of all jobs, earliest first. */
  list(jobId: string | undefined, limit: number): Promise<QueuedRow[]>;
  /** Returns the IDs that it removed. Rows whose runs have begun no longer exist. */
  remove(ids: readonly string[]): Promise<string[]>;
  /** Removes the rows of a job, or only its retries. */
  removeOf(jobId: string, kind: "all" | "retries"): Promise<void>;
  /** The jobs of rows that were due before `before`. */
  overdueJobs(before: number): Promise<string[]>;
  /** Removes the rows of these jobs that were due before `before`. Returns their number. */
  purge(jobIds: readonly string[], before: number, limit: number): Promise<number>;
}

export function createQueueStore(database: Database): QueueStore {
  const tables = database.tables<CronTables>();
  return {
    add: (row) => addToQueue(tables, [row]),

    async due(until, limit, after) {
      let rows = tables
        .selectFrom("annex_cron_queue as queued")
        .selectAll()
        .select(({ exists, selectFrom, lit }) =>
          exists(
            selectFrom("annex_cron_runs as run")
              .select(lit(1).as("one"))
              .whereRef("run.job_id", "=", "queued.job_id")
              .whereRef("run.started_at", ">", "queued.created_at")
              .where(sql<boolean>`run.parameters is not distinct from queued.parameters`),
          ).as("has_newer_run"),
        )
        .where("run_at", "<", until)
        .orderBy("run_at")
        .orderBy("id")
        .limit(limit);
      if (after) {
        rows = rows.where(({ eb, refTuple, tuple }) =>
          eb(refTuple("run_at", "id"), ">", tuple(after.run_at, after.id)),
        );
      }
      return (await rows.execute()).map((row) => ({ ...row, has_newer_run: Boolean(row.has_newer_run) }));
    },

    find: (id) => tables.selectFrom("annex_cron_queue").selectAll().where("id", "=", id).executeTakeFirst(),

    findRetryOf: (runId) =>
      tables.selectFrom("annex_cron_queue").selectAll().where("retry_of", "=", runId).executeTakeFirst(),

    list: (jobId, limit) =>
      tables
        .selectFrom("annex_cron_queue")
        .selectAll()
        .$if(jobId !== undefined, (query) => query.where("job_id", "=", jobId!))
        .orderBy("run_at")
        .orderBy("id")
        .limit(limit)
        .execute(),

    async remove(ids) {
      if (ids.length === 0) return [];
      const gone = tables.deleteFrom("annex_cron_queue").where("id", "in", ids).returning("id");
      return (await gone.execute()).map(({ id }) => id);
    },

    async removeOf(jobId, kind) {
      await tables
        .deleteFrom("annex_cron_queue")
        .where("job_id", "=", jobId)
        .$if(kind === "retries", (query) => query.where("retry_of", "is not", null))
        .execute();
    },

    async overdueJobs(before) {
      const rows = await tables
        .selectFrom("annex_cron_queue")
        .select("job_id")
        .distinct()
        .where("run_at", "<", before)
        .execute();
      return rows.map(({ job_id }) => job_id);
    },

    async purge(jobIds, before, limit) {
      if (jobIds.length === 0) return 0;
      const some = tables
        .selectFrom("annex_cron_queue")
        .select("id")
        .where("run_at", "<", before)
        .where("job_id", "in", jobIds)
        .limit(limit);
      const { numDeletedRows } = await tables
        .deleteFrom("annex_cron_queue")
        .where("id", "in", some)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };
}

/** Adds retries within the transaction that ends their runs, so that neither is stored without the other. */
export async function addToQueue(tables: Kysely<CronTables>, rows: readonly QueuedRow[]): Promise<void> {
  if (rows.length > 0)
    await tables
      .insertInto("annex_cron_queue")
      .values([...rows])
      .execute();
}

/** Removes the retry of a run that has ended after all, unless it has begun. */
export async function removeRetriesOf(
  trx: Transaction<CronTables>,
  runIds: readonly string[],
): Promise<void> {
  if (runIds.length > 0) await trx.deleteFrom("annex_cron_queue").where("retry_of", "in", runIds).execute();
}

/**
 * The rows that still exist. PostgreSQL locks them until their runs have begun, so that nobody can cancel them in
 * between, and skips rows that another instance is starting, or that are not due yet by its own clock.
 */
export async function lockQueued(
  { trx, engine }: { readonly trx: Transaction<CronTables>; readonly engine: Database["engine"] },
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await trx
    .selectFrom("annex_cron_queue")
    .select("id")
    .where("id", "in", ids)
    .orderBy("id")
    .$if(engine === "postgres", (query) => query.where("run_at", "<=", databaseNow).forUpdate().skipLocked())
    .execute();
  return new Set(rows.map(({ id }) => id));
}
