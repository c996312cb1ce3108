import type { Migration } from "../../../storage/index.ts";

export const up: Migration["up"] = async ({ schema }, { text, integer }) => {
  await schema
    .createTable("annex_docs_deprecations")
    .addColumn("version", text, (column) => column.primaryKey())
    .addColumn("since", integer, (column) => column.notNull())
    .execute();
};
