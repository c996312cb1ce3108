import type { Migration } from "../../../storage/index.ts";

export const up: Migration["up"] = async ({ schema }, { text, integer }) => {
  await schema
    .createTable("annex_access")
    .addColumn("id", text, (column) => column.primaryKey())
    .addColumn("first_at", integer, (column) => column.notNull())
    .addColumn("last_at", integer, (column) => column.notNull())
    .addColumn("kind", text, (column) => column.notNull())
    .addColumn("account", text)
    .addColumn("actor", text)
    .addColumn("address", text)
    .addColumn("agent", text)
    .addColumn("trace_id", text)
    .addColumn("detail", text)
    .addColumn("instance", text, (column) => column.notNull())
    .addColumn("count", integer, (column) => column.notNull())
    .addColumn("is_overflow", integer, (column) => column.notNull())
    .execute();
  await schema.createIndex("annex_access_first_at").on("annex_access").columns(["first_at", "id"]).execute();
  await schema
    .createIndex("annex_access_kind")
    .on("annex_access")
    .columns(["kind", "first_at", "id"])
    .execute();
};
