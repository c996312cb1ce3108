import { setImmediate } from "node:timers/promises";
import type { Insertable, Selectable } from "kysely";
import type { Database } from "../../../storage/index.ts";
import { slices } from "../runs/batch.ts";
import type { CronTables } from "../tables.ts";

/** Stored state of a job, apart from its runs. It is retained when the job is no longer registered. */
export type JobRow = Selectable<CronTables["annex_cron_jobs"]>;

export type Switch = "paused" | "removed";

/** Stores run-time changes to jobs. */
export interface JobStore {
  all(): Promise<JobRow[]>;
  /** The rows of these jobs, by ID. Jobs without a row are omitted. */
  of(jobIds: readonly string[]): Promise<Map<string, JobRow>>;
  /** The jobs that are paused or removed. */
  switched(): Promise<Pick<JobRow, "job_id" | "paused_at" | "removed_at">[]>;
  /** Since when the ticks of jobs that catch up are processed. */
  knownSince(): Promise<Map<string, number>>;
  find(jobId: string): Promise<JobRow | undefined>;
  /** Pauses or removes a job (`by` is set), or reverts that (`null`). Also clears the start of its schedule history. */
  turn(name: Switch, jobId: string, by: { at: number; actor: string | null } | null): Promise<void>;
  /** Records since when the ticks of these jobs are processed, unless already recorded. */
  noteKnown(jobIds: string[], now: number): Promise<void>;
  /** Records the current schedules of these jobs. */
  notePlanned(plans: readonly { id: string; plannedAs: string }[], now: number): Promise<void>;
  /** Records how long the runs of these jobs are stored. */
  noteRetentions(retentions: readonly { id: string; retentionMs: number | null }[]): Promise<void>;
  /** The jobs whose runs are stored for another time than those of others. */
  retentions(): Promise<Map<string, number>>;
  /** Clears the schedule history of these jobs. */
  forgetPlanned(jobIds: readonly string[]): Promise<void>;
  /** Records that an instance has these jobs. */
  noteRegistered(jobIds: readonly string[], now: number): Promise<void>;
  /**
   * Deletes up to `limit` rows, in the order of their IDs, of jobs that no instance has had since `before`, and that have
   * neither runs nor a stored change. Returns the IDs.
   */
  purge(range: { readonly before: number; readonly after: string }, limit: number): Promise<string[]>;
}

const emptyJob = { success_count: 0, failed_count: 0, duration_ms: 0 };

export function createJobStore(database: Database): JobStore {
  const tables = database.tables<CronTables>();
  return {
    all: () => tables.selectFrom("annex_cron_jobs").selectAll().execute(),

    of: (jobIds) => readRows(database, jobIds),

    switched: () =>
      tables
        .selectFrom("annex_cron_jobs")
        .select(["job_id", "paused_at", "removed_at"])
        .where((eb) => eb.or([eb("paused_at", "is not", null), eb("removed_at", "is not", null)]))
        .execute(),

    async knownSince() {
      const rows = await tables
        .selectFrom("annex_cron_jobs")
        .select(["job_id", "known_since"])
        .where("known_since", "is not", null)
        .execute();
      return new Map(rows.map(({ job_id, known_since }) => [job_id, known_since!]));
    },

    find: (jobId) =>
      tables.selectFrom("annex_cron_jobs").selectAll().where("job_id", "=", jobId).executeTakeFirst(),

    async turn(name, jobId, by) {
      const at = by?.at ?? null;
      const actor = by?.actor ?? null;
      const turned =
        name === "paused" ? { paused_at: at, paused_by: actor } : { removed_at: at, removed_by: actor };
      const values = { ...turned, planned_since: null };
      await tables
        .insertInto("annex_cron_jobs")
        .values({ job_id: jobId, success_count: 0, failed_count: 0, duration_ms: 0, ...values })
        .onConflict((conflict) => conflict.column("job_id").doUpdateSet(values))
        .execute();
    },

    async noteKnown(jobIds, now) {
      for (const part of slices(jobIds.toSorted())) {
        await tables
          .insertInto("annex_cron_jobs")
          .values(part.map((job_id) => ({ ...emptyJob, job_id, known_since: now })))
          .onConflict((conflict) =>
            conflict
              .column("job_id")
              .doUpdateSet({ known_since: now })
              .where("annex_cron_jobs.known_since", "is", null),
          )
          .execute();
      }
    },

    async notePlanned(plans, now) {
      const rows = plans.map(({ id, plannedAs }) => ({
        ...emptyJob,
        job_id: id,
        planned_as: plannedAs,
        planned_since: now,
        registered_at: now,
      }));
      await writeColumns(database, rows, ["planned_as", "planned_since", "registered_at"]);
    },

    async noteRetentions(retentions) {
      const rows = retentions.map(({ id, retentionMs }) => ({
        ...emptyJob,
        job_id: id,
        retention_ms: retentionMs,
      }));
      await writeColumns(database, rows, ["retention_ms"]);
    },

    async retentions() {
      const rows = await tables
        .selectFrom("annex_cron_jobs")
        .select(["job_id", "retention_ms"])
        .where("retention_ms", "is not", null)
        .orderBy("job_id")
        .execute();
      return new Map(rows.map(({ job_id, retention_ms }) => [job_id, retention_ms!]));
    },

    forgetPlanned: (jobIds) => updateJobs(database, jobIds, { planned_since: null }),

    noteRegistered: (jobIds, now) => updateJobs(database, jobIds, { registered_at: now }),

    purge: (range, limit) => purgeGone(database, range, limit),
  };
}

async function readRows(database: Database, jobIds: readonly string[]): Promise<Map<string, JobRow>> {
  const rows = new Map<string, JobRow>();
  for (const part of slices(jobIds)) {
    // SQLite blocks the event loop while it reads, so other work gets a turn.
    if (rows.size > 0) await setImmediate();
    const found = database
      .tables<CronTables>()
      .selectFrom("annex_cron_jobs")
      .selectAll()
      .where("job_id", "in", part);
    for (const row of await found.execute()) rows.set(row.job_id, row);
  }
  return rows;
}

/** Deletes rows of jobs that no instance has had since `before`, and that have neither runs nor a stored change. */
async function purgeGone(
  database: Database,
  { before, after }: { readonly before: number; readonly after: string },
  limit: number,
): Promise<string[]> {
  const tables = database.tables<CronTables>();
  const isGone = tables
    .selectFrom("annex_cron_jobs as job")
    .select("job_id")
    .where("job_id", ">", after)
    .where("registered_at", "<", before)
    .where("success_count", "=", 0)
    .where("failed_count", "=", 0)
    .where("paused_at", "is", null)
    .where("removed_at", "is", null)
    .where(({ not, exists, selectFrom, lit }) =>
      not(
        exists(
          selectFrom("annex_cron_runs as run")
            .select(lit(1).as("one"))
            .whereRef("run.job_id", "=", "job.job_id"),
        ),
      ),
    )
    .orderBy("job_id")
    .limit(limit);
  const rows = await tables
    .deleteFrom("annex_cron_jobs")
    .where("job_id", "in", isGone)
    // Again: an instance may have recorded the job meanwhile.
    .where("registered_at", "<", before)
    .returning("job_id")
    .execute();
  return rows.map(({ job_id }) => job_id).sort();
}

/** The order is always the same, so that writers do not block each other. */
async function updateJobs(
  database: Database,
  jobIds: readonly string[],
  values: Partial<Pick<JobRow, "planned_since" | "registered_at">>,
): Promise<void> {
  for (const part of slices(jobIds.toSorted()))
    await database
      .tables<CronTables>()
      .updateTable("annex_cron_jobs")
      .set(values)
      .where("job_id", "in", part)
      .execute();
}

/** Sets columns of jobs, which may have no row yet. The order is always the same, so that writers do not block each other. */
async function writeColumns(
  database: Database,
  rows: readonly Insertable<CronTables["annex_cron_jobs"]>[],
  columns: readonly (keyof JobRow)[],
): Promise<void> {
  const sorted = rows.toSorted((one, other) => (one.job_id < other.job_id ? -1 : 1));
  for (const part of slices(sorted)) {
    await database
      .tables<CronTables>()
      .insertInto("annex_cron_jobs")
      .values(part)
      .onConflict((conflict) =>
        conflict
          .column("job_id")
          .doUpdateSet((eb) => Object.fromEntries(columns.map((name) => [name, eb.ref(`excluded.${name}`)]))),
      )
      .execute();
  }
}
