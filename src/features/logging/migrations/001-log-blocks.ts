import type { Migration } from "../../../storage/index.ts";

export const up: Migration["up"] = async (db, types) => {
  await db.schema
    .createTable("annex_log_blocks")
    .addColumn("id", types.text, (column) => column.primaryKey())
    .addColumn("first_time", types.integer, (column) => column.notNull())
    .addColumn("last_time", types.integer, (column) => column.notNull())
    .addColumn("record_count", types.integer, (column) => column.notNull())
    .addColumn("max_level", types.integer, (column) => column.notNull())
    .addColumn("size", types.integer, (column) => column.notNull())
    .addColumn("traces", types.blob, (column) => column.notNull())
    // Last column, so that reading the others does not touch the pages of the body.
    .addColumn("body", types.blob, (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex("annex_log_blocks_by_time")
    .on("annex_log_blocks")
    .columns(["last_time", "id"])
    .execute();
};
