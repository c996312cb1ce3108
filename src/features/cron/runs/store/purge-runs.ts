import { subtractFromJobs } from "./job-sums.ts";
import type { Writing } from "./writing.ts";

/** Finished runs to delete. */
export interface PurgeSelection {
  /** When they ended: from `from`, and before `before`. */
  readonly from?: number;
  readonly before?: number;
  /** "shared": only jobs without their own retention. */
  readonly jobs?: "shared" | { readonly id: string };
}

export interface Purged {
  readonly count: number;
  /** When the last of them ended. */
  readonly lastEnd: number | undefined;
}

/** Deletes up to `limit` finished runs, the oldest first, and removes them from the sums. */
export async function purgeRuns(
  writing: Writing,
  { from = 1, before, jobs }: PurgeSelection,
  limit: number,
): Promise<Purged> {
  const { trx } = writing;
  let oldest = trx
    .selectFrom("annex_cron_runs")
    .select("id")
    .where("ended_at", ">=", Math.max(from, 1))
    .limit(limit);
  if (before !== undefined) oldest = oldest.where("ended_at", "<", before);
  if (typeof jobs === "object") {
    // Nearly the order of ends, and that of an index.
    oldest = oldest.where("job_id", "=", jobs.id).orderBy("started_at").orderBy("id");
    if (before !== undefined) oldest = oldest.where("started_at", "<", before);
  } else oldest = oldest.orderBy("ended_at").orderBy("id");
  if (jobs === "shared")
    oldest = oldest.where("job_id", "not in", (eb) =>
      eb.selectFrom("annex_cron_jobs").select("job_id").where("retention_ms", "is not", null),
    );
  const gone = await trx
    .deleteFrom("annex_cron_runs")
    .where("id", "in", oldest)
    .returning(["id", "job_id", "status", "duration_ms", "ended_at"])
    .execute();
  await subtractFromJobs(writing, gone);
  const lastEnd = gone.length === 0 ? undefined : Math.max(...gone.map(({ ended_at }) => ended_at));
  return { count: gone.length, lastEnd };
}
