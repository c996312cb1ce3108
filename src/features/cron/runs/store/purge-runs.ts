import { sql } from "kysely";
import { slices } from "../batch.ts";
import { subtractFromJobs } from "./job-sums.ts";
import type { Writing } from "./writing.ts";

/** Finished runs to delete. */
export interface PurgeSelection {
  /** When they ended: before this time. */
  readonly before?: number;
  /** "shared": only jobs without their own retention. */
  readonly jobs?: "shared" | { readonly id: string };
  /** Continues after the runs that an earlier call has read. */
  readonly after?: RunPosition | undefined;
  /** How many runs to read if those of some jobs are left. Default: as many as are to be deleted. */
  readonly read?: number;
}

/** Where a run is in the order of ends. The key is that of the index. */
export interface RunPosition {
  readonly end: number;
  readonly key: number | string;
}

export interface Purged {
  readonly count: number;
  /** When the last of them ended. */
  readonly lastEnd: number | undefined;
  /** The last run that was read. Absent for the runs of one job. */
  readonly position?: RunPosition | undefined;
  readonly hasMore: boolean;
}

/** Deletes up to `limit` finished runs, the oldest first, and removes them from the sums. */
export async function purgeRuns(writing: Writing, selection: PurgeSelection, limit: number): Promise<Purged> {
  const { jobs } = selection;
  const found =
    typeof jobs === "object"
      ? await findOfJob(writing, jobs.id, selection, limit)
      : await findByEnd(writing, selection, limit);
  const gone: DeletedRun[] = [];
  for (const ids of slices(found.ids)) {
    const deletion = writing.trx.deleteFrom("annex_cron_runs").where("id", "in", ids);
    gone.push(...(await deletion.returning(["job_id", "status", "duration_ms", "ended_at"]).execute()));
  }
  if (gone.length > 0) await subtractFromJobs(writing, gone);
  const lastEnd = gone.length === 0 ? undefined : Math.max(...gone.map(({ ended_at }) => ended_at));
  return { count: gone.length, lastEnd, position: found.position, hasMore: found.hasMore };
}

type DeletedRun = Parameters<typeof subtractFromJobs>[1][number] & { readonly ended_at: number };

interface FoundRuns extends Pick<Purged, "position" | "hasMore"> {
  readonly ids: readonly string[];
}

async function findOfJob(
  { trx }: Writing,
  jobId: string,
  { before }: PurgeSelection,
  limit: number,
): Promise<FoundRuns> {
  let oldest = trx
    .selectFrom("annex_cron_runs")
    .select("id")
    .where("job_id", "=", jobId)
    // An index is not to find them by their ends: those of all jobs would be read.
    .where(sql<boolean>`ended_at + 0 > 0`)
    // Nearly the order of ends, and that of an index.
    .orderBy("started_at")
    .orderBy("id")
    .limit(limit);
  if (before !== undefined)
    oldest = oldest.where(sql<boolean>`ended_at + 0 < ${before}`).where("started_at", "<", before);
  const ids = (await oldest.execute()).map(({ id }) => id);
  return { ids, hasMore: ids.length === limit };
}

/** Runs of jobs with their own retention are read, and left. */
async function findByEnd(
  { trx, engine }: Writing,
  { before, jobs, after = { end: 1, key: engine === "sqlite" ? -1 : "" }, ...selection }: PurgeSelection,
  limit: number,
): Promise<FoundRuns> {
  const read = Math.max(selection.read ?? limit, limit);
  // An index on SQLite ends with the position of the row.
  const key = engine === "sqlite" ? sql.ref<number | string>("rowid") : sql.ref<number | string>("id");
  let oldest = trx
    .selectFrom("annex_cron_runs")
    .select(["id", "job_id", "ended_at", key.as("key")])
    .where("ended_at", ">=", after.end)
    .where(({ eb, or }) => or([eb("ended_at", ">", after.end), eb(key, ">", after.key)]))
    .orderBy("ended_at")
    .orderBy(key)
    .limit(read);
  if (before !== undefined) oldest = oldest.where("ended_at", "<", before);
  const rows = await oldest.execute();
  const own = jobs === "shared" ? await findOwn(trx, [...new Set(rows.map(({ job_id }) => job_id))]) : none;
  const shared = rows.filter(({ job_id }) => !own.has(job_id));
  const isCut = shared.length > limit;
  const last = isCut ? shared[limit - 1] : rows.at(-1);
  return {
    ids: shared.slice(0, limit).map(({ id }) => id),
    position: last && { end: last.ended_at, key: last.key },
    hasMore: isCut || rows.length === read,
  };
}

const none: ReadonlySet<string> = new Set();

/** Which of the jobs have their own retention. Read with each batch: an instance may have registered one meanwhile. */
async function findOwn(trx: Writing["trx"], jobIds: readonly string[]): Promise<ReadonlySet<string>> {
  const own = new Set<string>();
  for (const part of slices(jobIds)) {
    const rows = trx.selectFrom("annex_cron_jobs").select("job_id").where("job_id", "in", part);
    for (const { job_id } of await rows.where("retention_ms", "is not", null).execute()) own.add(job_id);
  }
  return own;
}
