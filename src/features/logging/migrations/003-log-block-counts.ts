import type { Migration } from "../../../storage/index.ts";

// In the row, this column is after the body, which would have to be read first. It is read from the index
// instead.
export const up: Migration["up"] = async (db, types) => {
  await db.schema.alterTable("annex_log_blocks").addColumn("counts", types.blob).execute();
  await db.schema.dropIndex("annex_log_blocks_by_time").execute();
  await db.schema
    .createIndex("annex_log_blocks_by_time")
    .on("annex_log_blocks")
    .columns(["last_time", "id", "first_time", "max_level", "counts"])
    .execute();
};
