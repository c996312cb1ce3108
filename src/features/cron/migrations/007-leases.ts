import type { Migration } from "../../../storage/index.ts";

/** Leases that the database times replace the counters. The rows belong to running processes, so none are kept. */
export const up: Migration["up"] = async ({ schema }, { text, integer }) => {
  await schema.dropTable("annex_cron_instances").execute();
  await schema
    .createTable("annex_cron_instances")
    .addColumn("id", text, (column) => column.primaryKey())
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("renewed_at", integer, (column) => column.notNull())
    .addColumn("expires_at", integer, (column) => column.notNull())
    .execute();
  await schema.alterTable("annex_cron_runs").addColumn("instance_name", text).execute();
};
