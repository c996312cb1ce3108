import { sql } from "kysely";
import { type Database, type MigrationSet, readMigrations } from "../../../storage/index.ts";

const { feature, migrations } = readMigrations("cron", new URL("../migrations/", import.meta.url));

/** The migrations of the releases before the table of runs was replaced. */
export const earlierMigrations: MigrationSet = {
  feature,
  migrations: Object.fromEntries(Object.entries(migrations).filter(([name]) => name < "012")),
};

export const firstStart = 1_700_000_000_000;

/** Fills the table of an earlier release: all statuses and triggers, retries, several lines of output. */
export async function insertOldRuns(database: Database, count: number): Promise<void> {
  await sql`
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
    insert into annex_cron_runs (id, job_id, job_name, status, trigger, actor, trace_id, scheduled_at, attempt,
      started_at, ended_at, duration_ms, progress, output, instance, instance_name, tick, exclusive, job_group,
      parameters, first_run_id)
    select 'run' || i, 'job' || (i % 3), 'Job ' || (i % 3),
      case when i = 2 then 'running' when i % 7 = 0 then 'failed' when i % 31 = 0 then 'timeout' else 'success' end,
      case when i % 5 = 0 then 'manual' when i % 11 = 0 then 'retry' else 'schedule' end,
      case when i % 5 = 0 then 'ann@example.org' end, 'trace' || i, ${sql.lit(firstStart)} + i * 60000,
      case when i % 11 = 0 and i % 5 <> 0 then 2 else 1 end, ${sql.lit(firstStart)} + i * 60000 + 3,
      case when i = 2 then 0 else ${sql.lit(firstStart)} + i * 60000 + 3 + i % 977 end, case when i = 2 then 0 else i % 977 end,
      case when i % 4 = 0 then 0.5 end,
      '[{"level":"start","message":"Collecting"},{"level":"info","message":"Row ' || i || '\\nof many"}]', 'one', 'web-1',
      case when i % 5 = 0 then null when i % 11 = 0 then 'job' || (i % 3) || ' ' || (${sql.lit(firstStart)} + i * 60000) || ' 2'
        else 'job' || (i % 3) || ' ' || (${sql.lit(firstStart)} + i * 60000) end,
      case when i = 2 then 'job2' end, case when i % 13 = 0 then 'reports' end,
      case when i % 5 = 0 then '{"day":1}' end, case when i % 11 = 0 then 'run' || (i - 1) end
    from n where ${count} > 0`.execute(database.tables());
}
