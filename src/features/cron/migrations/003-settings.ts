import type { Migration } from "../../../storage/index.ts";

export const up: Migration["up"] = async ({ schema }, { text }) => {
  await schema
    .createTable("annex_cron_settings")
    .addColumn("name", text, (column) => column.primaryKey())
    .addColumn("value", text, (column) => column.notNull())
    .execute();
};
