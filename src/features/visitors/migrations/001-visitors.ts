import type { Migration } from "../../../storage/index.ts";

export const up: Migration["up"] = async ({ schema }, { text, integer, blob }) => {
  await schema
    .createTable("annex_visitor_salts")
    .addColumn("day", integer, (column) => column.primaryKey())
    .addColumn("salt", blob, (column) => column.notNull())
    .execute();
  await schema
    .createTable("annex_visitors")
    .addColumn("day", integer, (column) => column.notNull())
    .addColumn("visitor", text, (column) => column.notNull())
    .addColumn("kind", text, (column) => column.notNull())
    .addColumn("browser", text, (column) => column.notNull())
    .addColumn("os", text, (column) => column.notNull())
    .addColumn("device", text, (column) => column.notNull())
    .addColumn("referrer", text, (column) => column.notNull())
    .addColumn("entry", text, (column) => column.notNull())
    .addColumn("hours", integer, (column) => column.notNull())
    .addColumn("sessions", integer, (column) => column.notNull())
    .addColumn("bounces", integer, (column) => column.notNull())
    .addColumn("spans", text, (column) => column.notNull())
    .addColumn("first_seen", integer, (column) => column.notNull())
    .addColumn("last_seen", integer, (column) => column.notNull())
    .addPrimaryKeyConstraint("annex_visitors_key", ["day", "visitor"])
    .execute();
  await schema
    .createTable("annex_visitor_views")
    .addColumn("hour", integer, (column) => column.notNull())
    .addColumn("key", text, (column) => column.notNull())
    .addColumn("kind", text, (column) => column.notNull())
    .addColumn("page", text, (column) => column.notNull())
    .addColumn("referrer", text, (column) => column.notNull())
    .addColumn("browser", text, (column) => column.notNull())
    .addColumn("os", text, (column) => column.notNull())
    .addColumn("device", text, (column) => column.notNull())
    .addColumn("views", integer, (column) => column.notNull())
    .addPrimaryKeyConstraint("annex_visitor_views_key", ["hour", "key"])
    .execute();
  await schema
    .createTable("annex_visitor_days")
    .addColumn("day", integer, (column) => column.primaryKey())
    .addColumn("bytes", integer, (column) => column.notNull())
    .addColumn("counts", blob, (column) => column.notNull())
    .execute();
};
