import type { Migration } from "../../../storage/index.ts";

const indexes = {
  started: ["started_at", "id"],
  job_started: ["job_id", "started_at", "id"],
  ended: ["ended_at", "id"],
  duration: ["duration_ms", "id"],
  status: ["status", "id"],
  name: ["job_name", "id"],
};

export const up: Migration["up"] = async ({ schema }, { text, integer, real }) => {
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
    .addColumn("tick", text, (column) => column.unique())
    .addColumn("exclusive", text, (column) => column.unique())
    .addColumn("cancelled_by", text)
    .execute();
  for (const [name, columns] of Object.entries(indexes)) {
    await schema.createIndex(`annex_cron_runs_${name}`).on("annex_cron_runs").columns(columns).execute();
  }
};
