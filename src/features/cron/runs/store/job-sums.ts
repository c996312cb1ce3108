import { sql, type Transaction } from "kysely";
import type { CronTables } from "../../tables.ts";
import { slices } from "../batch.ts";
import type { RunEnd, RunRow } from "../run.ts";
import { asInteger, asText, compare, type Writing } from "./writing.ts";

/** The sums of a job: its finished runs by result, and its last run. */
interface JobSum {
  job_id: string;
  last_run: number;
  last_status: RunEnd["status"];
  success_count: number;
  failed_count: number;
  duration_ms: number;
}

export function sumByJob(runs: readonly RunEnd[]): JobSum[] {
  const sums = new Map<string, JobSum>();
  for (const { jobId, status, startedAt, durationMs } of runs) {
    const sum = sums.get(jobId);
    const isLast = sum === undefined || startedAt >= sum.last_run;
    sums.set(jobId, {
      job_id: jobId,
      last_run: isLast ? startedAt : sum.last_run,
      last_status: isLast ? status : sum.last_status,
      success_count: (sum?.success_count ?? 0) + (status === "success" ? 1 : 0),
      failed_count: (sum?.failed_count ?? 0) + (status === "success" ? 0 : 1),
      duration_ms: (sum?.duration_ms ?? 0) + durationMs,
    });
  }
  return [...sums.values()].sort((one, other) => compare(one.job_id, other.job_id));
}

export async function addToJobs(trx: Transaction<CronTables>, sums: JobSum[]): Promise<void> {
  for (const part of slices(sums)) {
    await trx
      .insertInto("annex_cron_jobs")
      .values(part)
      .onConflict((conflict) =>
        conflict.column("job_id").doUpdateSet((eb) => {
          const add = (column: "success_count" | "failed_count" | "duration_ms") =>
            eb(`annex_cron_jobs.${column}`, "+", eb.ref(`excluded.${column}`));
          const isLast = eb.or([
            eb("annex_cron_jobs.last_run", "is", null),
            eb("annex_cron_jobs.last_run", "<=", eb.ref("excluded.last_run")),
          ]);
          const latest = <C extends "last_run" | "last_status">(column: C) =>
            eb
              .case()
              .when(isLast)
              .then(eb.ref(`excluded.${column}`))
              .else(eb.ref(`annex_cron_jobs.${column}`))
              .end();
          return {
            last_run: latest("last_run"),
            last_status: latest("last_status"),
            success_count: add("success_count"),
            failed_count: add("failed_count"),
            duration_ms: add("duration_ms"),
          };
        }),
      )
      .execute();
  }
}

export type CountedRow = Pick<RunRow, "job_id" | "status" | "duration_ms">;

/** Removes runs from the sums of their jobs. */
export async function subtractFromJobs({ trx, engine }: Writing, rows: readonly CountedRow[]): Promise<void> {
  const sums = new Map<string, { success: number; failed: number; duration: number }>();
  for (const { job_id, status, duration_ms } of rows) {
    const sum = sums.get(job_id) ?? { success: 0, failed: 0, duration: 0 };
    sum[status === "success" ? "success" : "failed"]++;
    sum.duration += duration_ms;
    sums.set(job_id, sum);
  }
  for (const part of slices([...sums].sort(([one], [other]) => compare(one, other)))) {
    if (engine === "postgres")
      await lockJobs(
        trx,
        part.map(([jobId]) => jobId),
      );
    const values = part.map(
      ([jobId, { success, failed, duration }]) =>
        sql`(${asText(jobId)}, ${asInteger(success)}, ${asInteger(failed)}, ${asInteger(duration)})`,
    );
    await sql`
      update annex_cron_jobs
      set success_count = success_count - v.success, failed_count = failed_count - v.failed,
        duration_ms = duration_ms - v.duration
      from (
        select column1 as job_id, column2 as success, column3 as failed, column4 as duration
        from (values ${sql.join(values)}) as given
      ) as v
      where annex_cron_jobs.job_id = v.job_id`.execute(trx);
  }
}

/** In the order of their IDs, to avoid deadlocks. */
async function lockJobs(trx: Transaction<CronTables>, jobIds: readonly string[]): Promise<void> {
  await trx
    .selectFrom("annex_cron_jobs")
    .select("job_id")
    .where("job_id", "in", jobIds)
    .orderBy("job_id")
    .forUpdate()
    .execute();
}
