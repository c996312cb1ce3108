import type { Migration } from "../../../storage/index.ts";

export const up: Migration["up"] = async ({ schema }, { text, integer }) => {
  await schema
    .createTable("annex_stalls")
    .addColumn("started_at", integer, (column) => column.notNull())
    .addColumn("instance", text, (column) => column.notNull())
    .addColumn("duration_ms", integer, (column) => column.notNull())
    .addColumn("trace_id", text, (column) => column.notNull())
    .addColumn("detail", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("annex_stalls_key", ["started_at", "instance"])
    .execute();
  await schema.createIndex("annex_stalls_trace").on("annex_stalls").column("trace_id").execute();
};
