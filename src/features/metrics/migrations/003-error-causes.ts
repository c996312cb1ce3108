import type { Migration } from "../../../storage/index.ts";

export const up: Migration["up"] = async ({ schema }, { text }) => {
  await schema
    .alterTable("annex_errors")
    .addColumn("causes", text, (column) => column.notNull().defaultTo("[]"))
    .execute();
};
