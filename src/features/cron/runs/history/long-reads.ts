import type { Database } from "../../../../storage/index.ts";
import type { CronTables } from "../../tables.ts";

/** The connection that runs queries: of this thread, or of the reader thread. */
export type Source = Pick<Database, "engine" | "tables">;

/**
 * SQLite reads in the calling thread. A filter, an order or a late page can make it read or sort all runs, which takes a
 * few milliseconds for this many, and seconds for a million.
 */
const mostRuns = 10_000;
/** Rows of jobs stay after the jobs are gone. */
const mostJobs = 5_000;

/** For queries that may read all runs. */
export async function sourceForRuns(database: Database): Promise<Source> {
  if (database.engine !== "sqlite") return database;
  const { length } = await oneBeyond(database).runs(mostRuns).execute();
  return length > 0 ? readerOf(database) : sourceForJobs(database);
}

/** For queries that read the rows of all jobs. */
export async function sourceForJobs(database: Database): Promise<Source> {
  if (database.engine !== "sqlite") return database;
  const { length } = await oneBeyond(database).jobs(mostJobs).execute();
  return length > 0 ? readerOf(database) : database;
}

const readerOf = (database: Database): Source => ({ engine: database.engine, tables: database.reader });

/** Finds a row if there are more than `count`. Reads no more than that from an index. Exposed for tests. */
export function oneBeyond(database: Database) {
  const tables = database.tables<CronTables>();
  return {
    runs: (count: number) =>
      tables.selectFrom("annex_cron_runs").select("started_at").orderBy("started_at").offset(count).limit(1),
    jobs: (count: number) =>
      tables.selectFrom("annex_cron_jobs").select("job_id").orderBy("job_id").offset(count).limit(1),
  };
}
