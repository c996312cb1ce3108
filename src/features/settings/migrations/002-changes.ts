import type { Migration } from "../../../storage/index.ts";

export const up: Migration["up"] = async ({ schema }, { text, integer, serial }) => {
  await schema
    .createTable("annex_changes")
    .addColumn("id", serial, (column) => column.primaryKey())
    .addColumn("at", integer, (column) => column.notNull())
    .addColumn("actor", text)
    .addColumn("instance", text, (column) => column.notNull())
    .addColumn("kind", text, (column) => column.notNull())
    .addColumn("subject", text, (column) => column.notNull())
    .addColumn("before", text)
    .addColumn("after", text)
    .addColumn("detail", text)
    .execute();
  await schema.createIndex("annex_changes_at").on("annex_changes").columns(["at", "id"]).execute();
};
