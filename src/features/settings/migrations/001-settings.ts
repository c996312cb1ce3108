import type { Migration } from "../../../storage/index.ts";

export const up: Migration["up"] = async ({ schema }, { text, integer }) => {
  await schema
    .createTable("annex_settings")
    .addColumn("name", text, (column) => column.primaryKey())
    .addColumn("value", text, (column) => column.notNull())
    .addColumn("changed_at", integer, (column) => column.notNull())
    .addColumn("changed_by", text)
    .addColumn("until", integer)
    .execute();
};
