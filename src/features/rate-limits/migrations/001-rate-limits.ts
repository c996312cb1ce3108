import type { Migration } from "../../../storage/index.ts";

export const up: Migration["up"] = async ({ schema }, { text, integer }) => {
  await schema
    .createTable("annex_rate_limits")
    .addColumn("key", text, (column) => column.primaryKey())
    .addColumn("count", integer, (column) => column.notNull())
    .addColumn("ends_at", integer, (column) => column.notNull())
    .execute();
  await schema.createIndex("annex_rate_limits_ends_at").on("annex_rate_limits").column("ends_at").execute();
};
