import type { Migration } from "../../storage/index.ts";

export const up: Migration["up"] = async ({ schema }, { text, integer }) => {
  await schema
    .createTable("annex_known_clients")
    .addColumn("hash", text, (column) => column.notNull())
    .addColumn("superuser_id", text, (column) => column.notNull())
    .addColumn("kind", text, (column) => column.notNull())
    .addColumn("generation", integer, (column) => column.notNull())
    .addColumn("expires", integer, (column) => column.notNull())
    .addPrimaryKeyConstraint("annex_known_clients_key", ["hash", "superuser_id"])
    .execute();
};
