import type { Migration } from "../../../storage/index.ts";

// Like the counts, this column is read from the index.
export const up: Migration["up"] = async (db, types) => {
  await db.schema.alterTable("annex_log_blocks").addColumn("instance", types.text).execute();
  await db.schema.dropIndex("annex_log_blocks_by_time").execute();
  await db.schema
    .createIndex("annex_log_blocks_by_time")
    .on("annex_log_blocks")
    .columns(["last_time", "id", "first_time", "max_level", "instance", "counts"])
    .execute();
};
