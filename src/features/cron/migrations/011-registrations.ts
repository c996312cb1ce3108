import type { Migration } from "../../../storage/index.ts";

/**
 * When an instance last recorded that it has the job. A row that is older than the column counts as recorded now: a
 * default value is set without writing every row.
 */
export const up: Migration["up"] = async ({ schema }, { integer }) => {
  await schema
    .alterTable("annex_cron_jobs")
    .addColumn("registered_at", integer, (column) => column.notNull().defaultTo(Date.now()))
    .execute();
};
