import type { Migration } from "../migrator.ts";

export const up: Migration["up"] = async ({ schema }, { integer }) => {
  await schema
    .createTable("annex_readiness")
    .addColumn("id", integer, (column) => column.primaryKey())
    .addColumn("written_at", integer, (column) => column.notNull())
    .execute();
};
