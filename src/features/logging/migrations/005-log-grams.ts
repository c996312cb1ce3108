import type { Migration } from "../../../storage/index.ts";

// A table of its own: in the row of the block, the filter would be after the body, which would have to be read first.
export const up: Migration["up"] = async (db, types) => {
  await db.schema
    .createTable("annex_log_grams")
    .addColumn("block", types.text, (column) =>
      column.primaryKey().references("annex_log_blocks.id").onDelete("cascade"),
    )
    .addColumn("filter", types.blob, (column) => column.notNull())
    .execute();
};
