import type { Migration } from "../../storage/index.ts";

export const up: Migration["up"] = async ({ schema }, { text, integer }) => {
  await schema
    .createTable("annex_login_attempts")
    .addColumn("key", text, (column) => column.primaryKey())
    .addColumn("count", integer, (column) => column.notNull())
    .addColumn("expires", integer, (column) => column.notNull())
    .execute();
  await schema
    .createIndex("annex_login_attempts_expires")
    .on("annex_login_attempts")
    .column("expires")
    .execute();
};
