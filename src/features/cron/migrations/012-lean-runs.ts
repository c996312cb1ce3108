import { type Kysely, SqliteAdapter, sql } from "kysely";
import type { Migration } from "../../../storage/index.ts";

/** On SQLite, an index contains the position of the row, which is a shorter tie-breaker than its ID. */
const leanIndexes = {
  started: ["started_at"],
  ended: ["ended_at"],
  duration: ["duration_ms"],
  name: ["job_name"],
  // Covering index: recent runs of a thousand jobs are read without accessing the rows.
  job_history: ["job_id", "started_at", "id", "status", "duration_ms"],
  status_started: ["status", "started_at"],
  trace: ["trace_id"],
};

/**
 * Fewer and smaller indexes: they were more than half of the size of the job log.
 *
 * On SQLite, a new table replaces the old one, because the constraints of a table cannot be changed. Only the runs in
 * progress and the newest ones are moved here. The application moves the others while it runs.
 */
export const up: Migration["up"] = async (db, types) => {
  await db.schema.dropIndex("annex_cron_runs_status").execute();
  await db.schema.dropIndex("annex_cron_runs_trigger_started").execute();
  if (db.getExecutor().adapter instanceof SqliteAdapter) await replaceTable(db, types);
  // Nearly all runs are started by their schedule.
  await sql`create index annex_cron_runs_trigger_started on annex_cron_runs ("trigger", started_at)
    where "trigger" <> 'schedule'`.execute(db);
};

const movedAtOnce = 1_000;

async function replaceTable(
  db: Kysely<Record<string, Record<string, unknown>>>,
  { text, integer, real }: Parameters<Migration["up"]>[1],
): Promise<void> {
  const { schema } = db;
  await schema.alterTable("annex_cron_runs").renameTo("annex_cron_runs_old").execute();
  // The order of insertion is that of the start.
  const newest = sql`select rowid from annex_cron_runs_old order by rowid desc limit ${sql.lit(movedAtOnce)}`;
  await sql`create temp table annex_moved as select rowid as position from annex_cron_runs_old
    where status = 'running' or rowid in (${newest})`.execute(db);
  for (const name of Object.keys(leanIndexes)) await schema.dropIndex(`annex_cron_runs_${name}`).execute();
  await schema
    .createTable("annex_cron_runs")
    .addColumn("id", text, (column) => column.primaryKey())
    .addColumn("job_id", text, (column) => column.notNull())
    .addColumn("job_name", text, (column) => column.notNull())
    .addColumn("status", text, (column) => column.notNull())
    .addColumn("trigger", text, (column) => column.notNull())
    .addColumn("actor", text)
    .addColumn("trace_id", text, (column) => column.notNull())
    .addColumn("scheduled_at", integer, (column) => column.notNull())
    .addColumn("attempt", integer, (column) => column.notNull())
    .addColumn("started_at", integer, (column) => column.notNull())
    .addColumn("ended_at", integer, (column) => column.notNull())
    .addColumn("duration_ms", integer, (column) => column.notNull())
    .addColumn("progress", real)
    .addColumn("output", text, (column) => column.notNull())
    .addColumn("instance", text, (column) => column.notNull())
    .addColumn("instance_name", text)
    .addColumn("tick", text)
    .addColumn("exclusive", text)
    .addColumn("job_group", text)
    .addColumn("cancelled_by", text)
    .addColumn("parameters", text)
    .addColumn("first_run_id", text)
    .addColumn("retry_plan", text)
    .execute();
  for (const [name, columns] of Object.entries(leanIndexes))
    await schema.createIndex(`annex_cron_runs_${name}`).on("annex_cron_runs").columns(columns).execute();
  // The names of ticks are not stored. An index with them would be the largest after that of the history.
  await sql`create unique index annex_cron_runs_tick on annex_cron_runs (job_id, scheduled_at, attempt)
    where tick is not null`.execute(db);
  await sql`create unique index annex_cron_runs_exclusive on annex_cron_runs (exclusive)
    where exclusive is not null`.execute(db);
  const columns = sql.join(runColumns.map((name) => sql.ref(name)));
  const values = sql.join(
    runColumns.map((name) =>
      name === "tick" ? sql`case when tick is null then null else '' end` : sql.ref(name),
    ),
  );
  await sql`insert or ignore into annex_cron_runs (${columns}) select ${values} from annex_cron_runs_old
    where rowid in (select position from annex_moved) order by rowid`.execute(db);
  await sql`delete from annex_cron_runs_old where id in (select id from annex_cron_runs)`.execute(db);
  await sql`drop table annex_moved`.execute(db);
  const { rows } = await sql`select 1 from annex_cron_runs_old limit 1`.execute(db);
  if (rows.length === 0) await schema.dropTable("annex_cron_runs_old").execute();
}

const runColumns = [
  ...["id", "job_id", "job_name", "status", "trigger", "actor", "trace_id", "scheduled_at", "attempt"],
  ...["started_at", "ended_at", "duration_ms", "progress", "output", "instance", "instance_name", "tick"],
  ...["exclusive", "job_group", "cancelled_by", "parameters", "first_run_id", "retry_plan"],
];
