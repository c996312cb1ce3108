import { sql } from "kysely";
import type { Database } from "../../../storage/index.ts";

export interface ManyRuns {
  readonly count: number;
  readonly jobs: number;
  /** Start time of the last run; the others started one minute apart before it. */
  readonly until: number;
}

/** Keeps statements within the engine's time limit. */
const rowsPerStatement = 100_000;

/** Fills the log with finished runs of alternating jobs; one in ten failed. */
export async function insertManyRuns(database: Database, { count, jobs, until }: ManyRuns): Promise<void> {
  const tables = database.tables();
  // Creating the indexes at the end takes a third of the time.
  const indexes = await listIndexes(database);
  for (const { name } of indexes) await tables.schema.dropIndex(name).execute();
  const begin = sql`${sql.lit(until)} - (${sql.lit(count)} - i) * 60000`;
  const status = sql`case when i % 10 = 0 then 'failed' else 'success' end`;
  for (let done = 0; done < count; done += rowsPerStatement) {
    const last = sql.lit(Math.min(done + rowsPerStatement, count));
    const first = sql`select cast(${sql.lit(done + 1)} as bigint)`;
    const numbers = sql`with recursive n(i) as (${first} union all select i + 1 from n where i < ${last}) select`;
    await sql`
    insert into annex_cron_runs (id, job_id, job_name, status, trigger, trace_id, scheduled_at, attempt, started_at,
      ended_at, duration_ms, output, instance, tick)
    ${numbers} 'run' || i, 'job' || (i % ${sql.lit(jobs)}), 'Job ' || (i % ${sql.lit(jobs)}), ${status}, 'schedule',
      'trace' || i, ${begin}, 1, ${begin}, ${begin} + i % 5000, i % 5000, '[{"level":"info","message":"done"}]', 'old',
      'tick' || i
    from n`.execute(tables);
  }
  await sql`
    insert into annex_cron_jobs (job_id, last_run, last_status, success_count, failed_count, duration_ms)
    select job_id, max(started_at), 'success', sum(case when status = 'success' then 1 else 0 end),
      sum(case when status = 'success' then 0 else 1 end), sum(duration_ms)
    from annex_cron_runs group by job_id`.execute(tables);
  for (const { definition } of indexes) await sql.raw(definition).execute(tables);
  await sql`analyze`.execute(tables);
}

interface Index {
  readonly name: string;
  readonly definition: string;
}

/** The indexes of the job log, without those of constraints. */
async function listIndexes(database: Database): Promise<readonly Index[]> {
  const list =
    database.engine === "sqlite"
      ? sql<Index>`select name, sql as definition from sqlite_master where tbl_name = 'annex_cron_runs' and type = 'index' and sql is not null`
      : sql<Index>`select indexname as name, indexdef as definition from pg_indexes
          where schemaname = current_schema() and tablename = 'annex_cron_runs' and indexdef not like 'CREATE UNIQUE%'`;
  return (await list.execute(database.tables())).rows;
}
