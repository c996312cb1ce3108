import type { Migration } from "../../../storage/index.ts";

export const up: Migration["up"] = async ({ schema }, { text, integer }) => {
  await schema
    .createTable("annex_saved_views")
    .addColumn("id", text, (column) => column.primaryKey())
    .addColumn("superuser_id", text, (column) =>
      // Removing a superuser removes the views too, in the same transaction and on every release that is running.
      column.notNull().references("annex_superusers.id").onDelete("cascade"),
    )
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("name_key", text, (column) => column.notNull())
    .addColumn("address", text, (column) => column.notNull())
    .addColumn("created", integer, (column) => column.notNull())
    .addColumn("updated", integer, (column) => column.notNull())
    .addUniqueConstraint("annex_saved_views_name", ["superuser_id", "name_key"])
    .execute();
};
