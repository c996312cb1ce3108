import type { Migration } from "../../../storage/index.ts";

/** A run is shown with its next retry. Few entries of the queue are retries. */
export const up: Migration["up"] = async ({ schema }) => {
  await schema
    .createIndex("annex_cron_queue_retry")
    .on("annex_cron_queue")
    .column("retry_of")
    .where("retry_of", "is not", null)
    .execute();
};
