import type { Migration } from "../../storage/index.ts";

export const up: Migration["up"] = async ({ schema }, { text, integer }) => {
  await schema
    .createTable("annex_tokens")
    .addColumn("hash", text, (column) => column.primaryKey())
    .addColumn("kind", text, (column) => column.notNull())
    .addColumn("superuser_id", text, (column) => column.notNull())
    .addColumn("generation", integer, (column) => column.notNull())
    .addColumn("created", integer, (column) => column.notNull())
    .addColumn("expires", integer, (column) => column.notNull())
    .execute();
  for (const column of ["superuser_id", "expires"]) {
    await schema.createIndex(`annex_tokens_${column}`).on("annex_tokens").column(column).execute();
  }
};
