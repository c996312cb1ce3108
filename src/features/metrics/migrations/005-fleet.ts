import type { Migration } from "../../../storage/index.ts";

export const up: Migration["up"] = async ({ schema }, { text, integer, blob }) => {
  for (const [column, type] of [
    ["beat_at", integer],
    ["stopped_at", integer],
    ["status", text],
  ] as const)
    await schema.alterTable("annex_metric_instances").addColumn(column, type).execute();
  await schema
    .createTable("annex_recent_requests")
    .addColumn("instance", text, (column) => column.notNull())
    .addColumn("page", integer, (column) => column.notNull())
    .addColumn("epoch", text, (column) => column.notNull())
    .addColumn("version", text, (column) => column.notNull())
    .addColumn("time", integer, (column) => column.notNull())
    .addColumn("body", blob, (column) => column.notNull())
    .addPrimaryKeyConstraint("annex_recent_requests_key", ["instance", "page"])
    .execute();
};
