import { sql, type Transaction } from "kysely";
import { addToQueue, removeRetriesOf } from "../../queue/queue-store.ts";
import type { CronTables, RunStatus } from "../../tables.ts";
import { slices } from "../batch.ts";
import type { RunEnd, RunRow } from "../run.ts";
import { addToJobs, type CountedRow, subtractFromJobs, sumByJob } from "./job-sums.ts";
import { asInteger, asOutput, asReal, asText, compare, type Writing } from "./writing.ts";

type EndedRow = CountedRow & Pick<RunRow, "id" | "retry_plan">;

/**
 * Updates runs with one of these statuses, and the sums, in one transaction so that they stay consistent. Returns the
 * runs that it updated.
 */
export async function endRuns(
  writing: Writing,
  runs: readonly RunEnd[],
  statuses: readonly RunStatus[],
): Promise<RunEnd[]> {
  const { trx, engine } = writing;
  const sorted = runs.toSorted((one, other) => compare(one.id, other.id));
  const ended: RunEnd[] = [];
  for (const part of slices(sorted)) {
    const found = await findForUpdate(writing, part, statuses);
    const updated = part.filter(({ id }) => found.has(id));
    if (updated.length === 0) continue;
    const rows = updated.map(
      ({ id, status, startedAt, endedAt, durationMs, progress, output }) =>
        sql`(${asText(id)}, ${asText(status)}, ${asInteger(startedAt)}, ${asInteger(endedAt)}, ${asInteger(durationMs)}, ${asReal(progress)}, ${asOutput(engine, output)})`,
    );
    await sql`
      update annex_cron_runs
      set status = v.status, started_at = v.started_at, ended_at = v.ended_at, duration_ms = v.duration_ms, progress = v.progress,
        output = v.output, exclusive = null
      from (
        select column1 as id, column2 as status, column3 as started_at, column4 as ended_at,
          column5 as duration_ms, column6 as progress, column7 as output
        from (values ${sql.join(rows)}) as given
      ) as v
      where annex_cron_runs.id = v.id`.execute(trx);
    const corrected = [...found.values()].filter(({ status }) => status !== "running");
    await subtractFromJobs(writing, corrected);
    await queueRetries(trx, updated, new Map(corrected.map((row) => [row.id, row])));
    ended.push(...updated);
  }
  await addToJobs(trx, sumByJob(ended));
  return ended;
}

/**
 * Queues the retries of runs. If another instance has marked a run as interrupted and it ended after all, that instance has
 * queued its retry, which is superfluous if the run has succeeded.
 */
async function queueRetries(
  trx: Transaction<CronTables>,
  ended: readonly RunEnd[],
  corrected: ReadonlyMap<string, EndedRow>,
): Promise<void> {
  const isQueued = ({ id }: RunEnd) => corrected.get(id)?.retry_plan != null;
  await addToQueue(
    trx,
    ended.flatMap((run) => (run.retry && !isQueued(run) ? [run.retry] : [])),
  );
  const succeeded = ended.filter((run) => run.status === "success" && isQueued(run));
  await removeRetriesOf(
    trx,
    succeeded.map(({ id }) => id),
  );
}

/** The runs that have one of these statuses. PostgreSQL locks them in the order of their IDs, to avoid deadlocks. */
export async function findForUpdate(
  { trx, engine }: Writing,
  runs: readonly { readonly id: string }[],
  statuses: readonly RunStatus[],
): Promise<Map<string, EndedRow>> {
  const ids = runs.map(({ id }) => id);
  const rows = await trx
    .selectFrom("annex_cron_runs")
    .select(["id", "job_id", "status", "duration_ms", "retry_plan"])
    .where("id", "in", ids)
    .where("status", "in", statuses)
    .orderBy("id")
    .$if(engine === "postgres", (query) => query.forUpdate())
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
