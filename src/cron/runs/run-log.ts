import type { SortTerm } from "../../lib/page.ts";
import type { Database } from "../../storage/index.ts";
import type { CronTables } from "../tables.ts";
import { type Run, toRun } from "./run.ts";

export interface RunQuery {
  readonly jobId?: string;
  /** Counted from 1. */
  readonly page: number;
  readonly perPage: number;
  readonly sort: readonly SortTerm<RunSortField>[];
}

export interface RunPage {
  readonly totalItems: number;
  readonly items: Run[];
}

/** The contract's names of what a page can be sorted by, and the columns behind them. */
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

export interface JobAnalytics {
  readonly jobId: string;
  readonly executions: number;
  readonly successCount: number;
  readonly failedCount: number;
  readonly durationMs: number;
}

/** Reads runs: one, a page of them, and sums over them. */
export interface RunLog {
  find(id: string): Promise<Run | undefined>;
  page(query: RunQuery): Promise<RunPage>;
  /** Each job that has finished runs in the log, also one that is no longer registered. */
  analytics(): Promise<JobAnalytics[]>;
}

export function createRunLog(database: Database): RunLog {
  const queries = createQueries(database);
  return {
    async find(id) {
      const row = await queries.run(id).executeTakeFirst();
      return row && toRun(row);
    },

    async page(query) {
      const rows = await queries.page(query).execute();
      const [first] = rows;
      if (first) return { totalItems: Number(first.total), items: rows.map(toRun) };
      const { total } = await queries.total(query.jobId).executeTakeFirstOrThrow();
      return { totalItems: Number(total), items: [] };
    },

    async analytics() {
      const rows = await queries.analytics().execute();
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

/** The queries by themselves, so that a test can ask the engines how they go about them. */
export function createQueries(database: Database) {
  const tables = database.tables<CronTables>();

  /** Finished runs are counted where they are summed, so that only those in progress are left to be counted here. */
  const countRuns = (jobId: string | undefined) =>
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

    total: countRuns,

    /** The rows of a page are found in an index, and only they are read. */
    page({ jobId, page, perPage, sort }: RunQuery) {
      const order = withTieBreaker(sort);
      let found = tables.selectFrom("annex_cron_runs").select("id");
      if (jobId !== undefined) found = found.where("job_id", "=", jobId);
      for (const { field, isDescending } of order) {
        found = found.orderBy(sortColumns[field], isDescending ? "desc" : "asc");
      }
      let rows = tables
        .selectFrom("annex_cron_runs")
        .selectAll()
        .select(countRuns(jobId).as("total"))
        .where("id", "in", found.limit(perPage).offset((page - 1) * perPage));
      for (const { field, isDescending } of order) {
        rows = rows.orderBy(sortColumns[field], isDescending ? "desc" : "asc");
      }
      return rows;
    },

    analytics: () =>
      tables
        .selectFrom("annex_cron_jobs")
        .select(["job_id", "success_count", "failed_count", "duration_ms"])
        .where((eb) => eb.or([eb("success_count", ">", 0), eb("failed_count", ">", 0)]))
        .orderBy("job_id"),
  };
}

/** Pages need one order of all rows; in the last term's direction, so that an index can be read one way. */
function withTieBreaker(sort: RunQuery["sort"]): SortTerm<RunSortField>[] {
  if (sort.some(({ field }) => field === "id")) return [...sort];
  return [...sort, { field: "id", isDescending: sort.at(-1)?.isDescending ?? true }];
}
