import type { Migration } from "../../../storage/index.ts";

export const up: Migration["up"] = async ({ schema }, { text, integer }) => {
  await schema
    .createTable("annex_cron_queue")
    .addColumn("id", text, (column) => column.primaryKey())
    .addColumn("job_id", text, (column) => column.notNull())
    .addColumn("run_at", integer, (column) => column.notNull())
    .addColumn("created_at", integer, (column) => column.notNull())
    .addColumn("trigger", text, (column) => column.notNull())
    .addColumn("actor", text)
    .addColumn("trace_id", text, (column) => column.notNull())
    .addColumn("scheduled_at", integer, (column) => column.notNull())
    .addColumn("attempt", integer, (column) => column.notNull())
    .addColumn("parameters", text)
    .addColumn("tick", text)
    .addColumn("retry_of", text)
    .addColumn("first_run_id", text)
    .addColumn("reason", text)
    .execute();
  await schema.createIndex("annex_cron_queue_due").on("annex_cron_queue").columns(["run_at", "id"]).execute();
  await schema.createIndex("annex_cron_queue_job").on("annex_cron_queue").column("job_id").execute();
  await schema.alterTable("annex_cron_runs").addColumn("parameters", text).execute();
  await schema.alterTable("annex_cron_runs").addColumn("retry_plan", text).execute();
  await schema.alterTable("annex_cron_runs").addColumn("first_run_id", text).execute();
};
