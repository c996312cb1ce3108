import type { Migration } from "../../../storage/index.ts";

export const up: Migration["up"] = async ({ schema }, { text, integer }) => {
  await schema
    .createTable("annex_cron_jobs")
    .addColumn("job_id", text, (column) => column.primaryKey())
    .addColumn("removed_at", integer)
    .addColumn("removed_by", text)
    .addColumn("paused_at", integer)
    .addColumn("paused_by", text)
    .addColumn("known_since", integer)
    .addColumn("last_run", integer)
    .addColumn("last_status", text)
    .addColumn("success_count", integer, (column) => column.notNull().defaultTo(0))
    .addColumn("failed_count", integer, (column) => column.notNull().defaultTo(0))
    .addColumn("duration_ms", integer, (column) => column.notNull().defaultTo(0))
    .execute();
};
