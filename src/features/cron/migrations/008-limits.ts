import type { Migration } from "../../../storage/index.ts";

/** Which instances run jobs, and how many runs of a job group are in progress. */
export const up: Migration["up"] = async ({ schema }, { text, integer }) => {
  await schema
    .alterTable("annex_cron_instances")
    .addColumn("runs_jobs", integer, (column) => column.notNull().defaultTo(1))
    .execute();
  await schema.alterTable("annex_cron_runs").addColumn("job_group", text).execute();
  await schema
    .createTable("annex_cron_groups")
    .addColumn("name", text, (column) => column.primaryKey())
    .execute();
};
