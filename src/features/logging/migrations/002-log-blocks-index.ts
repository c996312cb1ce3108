import type { Migration } from "../../../storage/index.ts";

// Covers all columns used to select headers. Reading the rows themselves is 50 times slower.
export const up: Migration["up"] = async (db) => {
  await db.schema.dropIndex("annex_log_blocks_by_time").execute();
  await db.schema
    .createIndex("annex_log_blocks_by_time")
    .on("annex_log_blocks")
    .columns(["last_time", "id", "first_time", "max_level"])
    .execute();
};
