import type { Migration } from "../../../storage/index.ts";

/** Each instance looks for paused and removed jobs every few seconds. They are few among many. */
export const up: Migration["up"] = async ({ schema }, { integer }) => {
  await schema
    .createIndex("annex_cron_jobs_switched")
    .on("annex_cron_jobs")
    .columns(["job_id", "paused_at", "removed_at"])
    .where((eb) => eb.or([eb("paused_at", "is not", null), eb("removed_at", "is not", null)]))
    .execute();
  await schema.alterTable("annex_cron_jobs").addColumn("retention_ms", integer).execute();
};
