import type { Migration } from "../../../storage/index.ts";

export const up: Migration["up"] = async ({ schema }, { text, integer }) => {
  await schema
    .createTable("annex_errors")
    .addColumn("fingerprint", text, (column) => column.primaryKey())
    .addColumn("type", text, (column) => column.notNull())
    .addColumn("message", text, (column) => column.notNull())
    .addColumn("stack", text, (column) => column.notNull())
    .addColumn("origin", text, (column) => column.notNull())
    .addColumn("first_seen", integer, (column) => column.notNull())
    .addColumn("last_seen", integer, (column) => column.notNull())
    .addColumn("count", integer, (column) => column.notNull())
    .execute();
  await schema
    .createTable("annex_error_counts")
    .addColumn("time", integer, (column) => column.notNull())
    .addColumn("fingerprint", text, (column) => column.notNull())
    .addColumn("instance", text, (column) => column.notNull())
    .addColumn("count", integer, (column) => column.notNull())
    .addPrimaryKeyConstraint("annex_error_counts_key", ["time", "fingerprint", "instance"])
    .execute();
  await schema
    .createTable("annex_error_samples")
    .addColumn("fingerprint", text, (column) => column.notNull())
    .addColumn("time", integer, (column) => column.notNull())
    .addColumn("trace_id", text, (column) => column.notNull())
    .addColumn("instance", text, (column) => column.notNull())
    .addColumn("message", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("annex_error_samples_key", ["fingerprint", "time", "trace_id"])
    .execute();
};
