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
  // The names of types differ.
  if (types.integer === "integer") await replaceTable(db, types);
  await db.schema
    .createIndex("annex_cron_runs_trigger_started")
    .on("annex_cron_runs")
    .columns(["trigger", "started_at"])
    // Nearly all runs are started by their schedule.
    .where("trigger", "<>", "schedule")
    .execute();
};

const movedAtOnce = 1_000;

const replaceTable: Migration["up"] = async (db, { text, integer, real }) => {
  const { schema } = db;
  await schema.alterTable("annex_cron_runs").renameTo("annex_cron_runs_old").execute();
  // The order of insertion is that of the start.
  const positions = db.selectFrom("annex_cron_runs_old").select("rowid");
  const newest = positions.orderBy("rowid", "desc").limit(movedAtOnce);
  await schema
    .createTable("annex_moved")
    .temporary()
    .as(positions.where("status", "=", "running").union(db.selectFrom(newest.as("newest")).select("rowid")))
    .execute();
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
  await schema
    .createIndex("annex_cron_runs_tick")
    .unique()
    .on("annex_cron_runs")
    .columns(["job_id", "scheduled_at", "attempt"])
    .where((eb) => eb("tick" as never, "is not", null))
    .execute();
  await schema
    .createIndex("annex_cron_runs_exclusive")
    .unique()
    .on("annex_cron_runs")
    .column("exclusive")
    .where("exclusive", "is not", null)
    .execute();
  const moved = db
    .selectFrom("annex_cron_runs_old")
    .select(runColumns)
    .select(({ eb, lit }) => eb.case().when("tick", "is not", null).then("").else(lit(null)).end().as("tick"))
    .where("rowid", "in", db.selectFrom("annex_moved").select("rowid"))
    .orderBy("rowid");
  await db
    .insertInto("annex_cron_runs")
    .columns([...runColumns, "tick"])
    .expression(moved)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db
    .deleteFrom("annex_cron_runs_old")
    .where("id", "in", db.selectFrom("annex_cron_runs").select("id"))
    .execute();
  await schema.dropTable("annex_moved").execute();
  const left = await db.selectFrom("annex_cron_runs_old").select("id").limit(1).execute();
  if (left.length === 0) await schema.dropTable("annex_cron_runs_old").execute();
};

const runColumns = [
  ...["id", "job_id", "job_name", "status", "trigger", "actor", "trace_id", "scheduled_at", "attempt"],
  ...["started_at", "ended_at", "duration_ms", "progress", "output", "instance", "instance_name"],
  ...["exclusive", "job_group", "cancelled_by", "parameters", "first_run_id", "retry_plan"],
];
