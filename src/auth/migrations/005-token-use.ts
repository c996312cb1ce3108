import type { Migration } from "../../storage/index.ts";

export const up: Migration["up"] = async ({ schema }, { text, integer }) => {
  const columns = { signed_in: integer, last_used: integer, address: text, agent: text };
  // SQLite adds one column per statement.
  for (const [name, type] of Object.entries(columns)) {
    await schema.alterTable("annex_tokens").addColumn(name, type).execute();
  }
};
