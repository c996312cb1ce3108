import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../../../storage/index.ts";
import { type CronTables, runStatuses, triggers } from "../../tables.ts";
import { type Run, toRun } from "../run.ts";
import { type Source, sourceForJobs, sourceForRuns } from "./long-reads.ts";
import { type Lead, leadOf, type PagePlan, planPage, usual } from "./page-plan.ts";
import { type RunFilter, type RunSelection, type RunSortField, sortColumns } from "./run-selection.ts";

/** The runs of one page, and the number of all runs that match the filter. */
export interface RunSlice {
  readonly totalItems: number;
  readonly items: Run[];
}

/** A run has at most 100 retries. */
const maxAttempts = 101;

/** Sums over finished runs. Timed-out and interrupted runs count as failed. */
export interface RunSums {
  readonly executions: number;
  readonly successCount: number;
  readonly failedCount: number;
  /** Total duration. */
  readonly durationMs: number;
}

export interface JobSums extends RunSums {
  readonly jobId: string;
}

/** Reads single runs, pages of runs and sums. */
export interface RunLog {
  find(id: string): Promise<Run | undefined>;
  page(selection: RunSelection): Promise<RunSlice>;
  /** All attempts of a run, earliest first. */
  attempts(run: Run): Promise<Run[]>;
  /** Sums for each job with finished runs in the log, including jobs that are no longer registered. */
  sums(): Promise<JobSums[]>;
}

export function createRunLog(database: Database): RunLog {
  const queries = createQueries(database);
  return {
    async find(id) {
      const row = await queries.run(id).executeTakeFirst();
      return row && toRun(row);
    },

    async page(selection) {
      const queries = createQueries(await sourceForRuns(database));
      const total = await countRuns(queries, selection);
      const all = await countRuns(queries, {});
      const plan = planPage(selection, { total, all });
      const rows = plan.limit === 0 ? [] : await queries.page(selection, plan).execute();
      const items = rows.map(toRun);
      return { totalItems: total, items: plan.isBackward ? items.reverse() : items };
    },

    async attempts({ id, firstRunId = id, traceId }) {
      const rows = await queries.attempts(firstRunId, traceId).execute();
      return rows.map(toRun);
    },

    async sums() {
      const rows = await createQueries(await sourceForJobs(database))
        .sums()
        .execute();
      return rows.map((row) => ({
        jobId: row.job_id,
        executions: row.success_count + row.failed_count,
        successCount: row.success_count,
        failedCount: row.failed_count,
        durationMs: row.duration_ms,
      }));
    },
  };
}

/** Exposed for tests that check the query plans. */
export function createQueries(database: Source) {
  const { engine } = database;
  const tables = database.tables<CronTables>();
  // An index on SQLite ends with the position of the row.
  const key = engine === "sqlite" ? sql.ref<string>("rowid") : sql.ref<string>("id");

  /** On SQLite, a column with a sign is not searched for in an index. PostgreSQL chooses by its statistics. */
  const columnFor = (name: keyof CronTables["annex_cron_runs"], isLead: boolean): RawBuilder<string> =>
    isLead || engine === "postgres" ? sql.ref(name) : sql`+${sql.ref(name)}`;

  /** Selects the runs that match a filter. The index of `lead` finds them. */
  function select({ jobId, traceId, statuses, triggers, from, to }: RunFilter, lead: Lead) {
    let runs = tables.selectFrom("annex_cron_runs");
    if (jobId !== undefined) runs = runs.where(columnFor("job_id", lead === "jobId"), "=", jobId);
    if (traceId !== undefined) runs = runs.where("trace_id", "=", traceId);
    if (statuses !== undefined) runs = runs.where(columnFor("status", lead === "statuses"), "in", statuses);
    if (triggers !== undefined) runs = runs.where(columnFor("trigger", lead === "triggers"), "in", triggers);
    // The condition of the index, which cannot be recognized in parameters.
    if (lead === "triggers") runs = runs.where("trigger", "<>", sql.lit(usual.triggers));
    if (from === undefined && to === undefined) return runs;
    // With a single bound, SQLite prefers an index for the order, and reads all runs to find the few of a short period.
    const started = columnFor("started_at", lead !== undefined) as unknown as RawBuilder<number>;
    return runs.where(started, ">=", from ?? 0).where(started, "<", to ?? Number.MAX_SAFE_INTEGER);
  }

  const countSome = (filter: RunFilter) =>
    select(filter, leadOf(filter)).select(({ fn }) => fn.countAll<number>().as("total"));

  const count = (filter: RunFilter) => (isForAll(filter) ? countAll(filter.jobId) : countSome(filter));

  /** Finished runs are already counted in the sums, so only runs in progress are counted here. */
  const countAll = (jobId: string | undefined) =>
    tables
      .selectFrom("annex_cron_jobs")
      .select(({ fn, selectFrom, eb }) => {
        let running = selectFrom("annex_cron_runs")
          .where("status", "=", "running")
          .select(({ fn }) => fn.countAll<number>().as("running"));
        if (jobId !== undefined) running = running.where("annex_cron_runs.job_id", "=", jobId);
        const finished = fn.coalesce(
          fn.sum<number>(eb("success_count", "+", eb.ref("failed_count"))),
          eb.lit(0),
        );
        return eb(finished, "+", running).as("total");
      })
      .$if(jobId !== undefined, (query) => query.where("annex_cron_jobs.job_id", "=", jobId!));

  return {
    run: (id: string) => tables.selectFrom("annex_cron_runs").selectAll().where("id", "=", id),

    /** Retries have the trace of the first attempt, which has an index. */
    attempts: (firstId: string, traceId: string) =>
      tables
        .selectFrom("annex_cron_runs")
        .selectAll()
        .where("trace_id", "=", traceId)
        .where((eb) => eb.or([eb("id", "=", firstId), eb("first_run_id", "=", firstId)]))
        .orderBy("attempt")
        .orderBy("started_at")
        .limit(maxAttempts),

    total: count,

    /** Finds the rows of a page in an index and reads only those. */
    page(selection: RunSelection, { lead, order, isSorted, offset, limit }: PagePlan) {
      const columnOf = (field: RunSortField) =>
        field === "id" && !isSortedById(selection) ? key : sql.ref<string>(sortColumns[field]);
      let found = select(selection, lead).select(key.as("key"));
      let rows = tables.selectFrom("annex_cron_runs").selectAll();
      for (const { field, isDescending } of order) {
        const column = isSorted && engine === "sqlite" ? sql`+${columnOf(field)}` : columnOf(field);
        found = found.orderBy(column, isDescending ? "desc" : "asc");
        rows = rows.orderBy(columnOf(field), isDescending ? "desc" : "asc");
      }
      return rows.where(key, "in", found.limit(limit).offset(offset));
    },

    sums: () =>
      tables
        .selectFrom("annex_cron_jobs")
        .select(["job_id", "success_count", "failed_count", "duration_ms"])
        .where((eb) => eb.or([eb("success_count", ">", 0), eb("failed_count", ">", 0)]))
        .orderBy("job_id"),
  };
}

/** Whether the filter matches all runs, of all jobs or of one job. */
function isForAll({ traceId, statuses, triggers, from, to }: RunFilter): boolean {
  return [traceId, statuses, triggers, from, to].every((value) => value === undefined);
}

/** The history of a job is sorted by the IDs of runs as well. */
const isSortedById = ({ jobId, sort }: RunSelection) =>
  jobId !== undefined || sort.some(({ field }) => field === "id" || field === "job_id");

/** Runs with the usual status or trigger are all that do not have another one, so only the others are counted. */
async function countRuns(queries: ReturnType<typeof createQueries>, filter: RunFilter): Promise<number> {
  for (const [field, all] of [
    ["statuses", runStatuses],
    ["triggers", triggers],
  ] as const) {
    const wanted: readonly string[] | undefined = filter[field];
    if (!wanted?.includes(usual[field])) continue;
    const others = all.filter((value) => !wanted.includes(value));
    const without = await countRuns(queries, { ...filter, [field]: undefined });
    return others.length === 0
      ? without
      : without - (await countRuns(queries, { ...filter, [field]: others }));
  }
  return Number((await queries.total(filter).executeTakeFirstOrThrow()).total);
}
