import type { Migration } from "../../../storage/index.ts";

const indexes = {
  // Covering index: recent runs of a thousand jobs are read without accessing the rows.
  job_history: ["job_id", "started_at", "id", "status", "duration_ms"],
  status_started: ["status", "started_at", "id"],
  trigger_started: ["trigger", "started_at", "id"],
  trace: ["trace_id", "started_at", "id"],
};

export const up: Migration["up"] = async ({ schema }) => {
  for (const [name, columns] of Object.entries(indexes)) {
    await schema.createIndex(`annex_cron_runs_${name}`).on("annex_cron_runs").columns(columns).execute();
  }
  await schema.dropIndex("annex_cron_runs_job_started").execute();
};
