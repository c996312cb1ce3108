import type { Migration } from "../../storage/index.ts";

export const up: Migration["up"] = async ({ schema }, { text, integer }) => {
  await schema
    .createTable("annex_setup_links")
    .addColumn("hash", text, (column) => column.primaryKey())
    .addColumn("expires", integer, (column) => column.notNull())
    .execute();
};
