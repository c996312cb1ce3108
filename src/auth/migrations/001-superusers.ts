import type { Migration } from "../../storage/index.ts";

export const up: Migration["up"] = async ({ schema }, { text, integer }) => {
  await schema
    .createTable("annex_superusers")
    .addColumn("id", text, (column) => column.primaryKey())
    .addColumn("email", text, (column) => column.notNull().unique())
    .addColumn("password_hash", text, (column) => column.notNull())
    .addColumn("generation", integer, (column) => column.notNull())
    .addColumn("created", integer, (column) => column.notNull())
    .addColumn("updated", integer, (column) => column.notNull())
    .execute();
};
