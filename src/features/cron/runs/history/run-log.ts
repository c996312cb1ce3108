import type { PageRequest, SortTerm } from "../../../../lib/page.ts";
import type { Database } from "../../../../storage/index.ts";
import type { CronTables, RunStatus, Trigger } from "../../tables.ts";
import { type Run, toRun } from "../run.ts";

/** Filter for runs. Absent fields match all runs. */
export interface RunFilter {
  readonly jobId?: string | undefined;
  readonly traceId?: string | undefined;
  readonly statuses?: readonly RunStatus[] | undefined;
  readonly triggers?: readonly Trigger[] | undefined;
  /** Start time range in milliseconds since the epoch; `to` is exclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** The runs of one page, and the number of all runs that match the filter. */
export interface RunSlice {
  readonly totalItems: number;
  readonly items: Run[];
}

export interface RunSelection extends PageRequest, RunFilter {
  readonly sort: readonly SortTerm<RunSortField>[];
}

/** Sort fields of the contract and their columns. */
const sortColumns = {
  start_time: "started_at",
  end_time: "ended_at",
  duration_ms: "duration_ms",
  status: "status",
  job_id: "job_id",
  job_name: "job_name",
  id: "id",
} as const satisfies Record<string, keyof CronTables["annex_cron_runs"]>;

export type RunSortField = keyof typeof sortColumns;

export const runSortFields = Object.keys(sortColumns) as RunSortField[];

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

/**
 * SQLite reads in the calling thread. A filter, an order or a late page can make it read or sort all runs, which takes a
 * few milliseconds for this many, and seconds for a million.
 */
const mostReadHere = 10_000;

/** `elsewhere` reads the pages of a long log; without it, they are read here. */
export function createRunLog(database: Database, elsewhere?: Pick<RunLog, "page">): RunLog {
  const queries = createQueries(database);
  return {
    async find(id) {
      const row = await queries.run(id).executeTakeFirst();
      return row && toRun(row);
    },

    async page(selection) {
      if (elsewhere && (await queries.oneBeyond(mostReadHere).executeTakeFirst()))
        return elsewhere.page(selection);
      const rows = await queries.page(selection).execute();
      const [first] = rows;
      if (first) return { totalItems: Number(first.total), items: rows.map(toRun) };
      const { total } = await queries.total(selection).executeTakeFirstOrThrow();
      return { totalItems: Number(total), items: [] };
    },

    async attempts({ id, firstRunId = id, traceId }) {
      const rows = await queries.attempts(firstRunId, traceId).execute();
      return rows.map(toRun);
    },

    async sums() {
      const rows = await queries.sums().execute();
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
export function createQueries(database: Database) {
  const tables = database.tables<CronTables>();

  /** Selects the runs that match a filter. */
  function select({ jobId, traceId, statuses, triggers, from, to }: RunFilter) {
    let runs = tables.selectFrom("annex_cron_runs");
    if (jobId !== undefined) runs = runs.where("job_id", "=", jobId);
    if (traceId !== undefined) runs = runs.where("trace_id", "=", traceId);
    if (statuses !== undefined) runs = runs.where("status", "in", statuses);
    if (triggers !== undefined) runs = runs.where("trigger", "in", triggers);
    if (from === undefined && to === undefined) return runs;
    // With a single bound, SQLite prefers an index for the order, and reads all runs to find the few of a short period.
    return runs.where("started_at", ">=", from ?? 0).where("started_at", "<", to ?? Number.MAX_SAFE_INTEGER);
  }

  const countSome = (filter: RunFilter) =>
    select(filter).select(({ fn }) => fn.countAll<number>().as("total"));

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

    /** Finds a run if there are more than `count`. Reads no more than that from an index. */
    oneBeyond: (count: number) =>
      tables.selectFrom("annex_cron_runs").select("id").orderBy("started_at").offset(count).limit(1),

    /** Finds the rows of a page in an index and reads only those. */
    page({ page, perPage, sort, ...filter }: RunSelection) {
      const order = withTieBreaker(sort);
      let found = select(filter).select("id");
      for (const { field, isDescending } of order) {
        found = found.orderBy(sortColumns[field], isDescending ? "desc" : "asc");
      }
      let rows = tables
        .selectFrom("annex_cron_runs")
        .selectAll()
        .select(count(filter).as("total"))
        .where(
          "id",
          "in",
          found.limit(perPage).offset(Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER)),
        );
      for (const { field, isDescending } of order) {
        rows = rows.orderBy(sortColumns[field], isDescending ? "desc" : "asc");
      }
      return rows;
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

/**
 * Pages need a total order. The tie-breaker uses the direction of the last term, so that an index can be scanned in one
 * direction.
 */
function withTieBreaker(sort: RunSelection["sort"]): SortTerm<RunSortField>[] {
  if (sort.some(({ field }) => field === "id")) return [...sort];
  return [...sort, { field: "id", isDescending: sort.at(-1)?.isDescending ?? true }];
}
