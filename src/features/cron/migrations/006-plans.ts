import type { Migration } from "../../../storage/index.ts";

export const up: Migration["up"] = async ({ schema }, { text, integer }) => {
  await schema.alterTable("annex_cron_jobs").addColumn("planned_as", text).execute();
  await schema.alterTable("annex_cron_jobs").addColumn("planned_since", integer).execute();
};
