import type { Migration } from "../../../storage/index.ts";

export const up: Migration["up"] = async ({ schema }, { text, integer }) => {
  await schema
    .createTable("annex_cron_instances")
    .addColumn("id", text, (column) => column.primaryKey())
    .addColumn("beat", integer, (column) => column.notNull())
    .execute();
};
