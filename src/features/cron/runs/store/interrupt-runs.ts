import type { QueuedRow } from "../../queue/queue-store.ts";
import { createRetry } from "../../queue/retry-plan.ts";
import type { RunEnd, RunRow } from "../run.ts";
import { endRuns } from "./end-runs.ts";
import { withError } from "./run-output.ts";
import type { Writing } from "./writing.ts";

export interface InterruptedRun {
  readonly id: string;
  readonly jobId: string;
}

export interface InterruptOptions {
  /** When the runs were last known to be running. */
  readonly at: number;
  readonly now: number;
  readonly reason: string;
}

/** Ends runs that are still in progress as interrupted. */
export async function interruptRuns(
  { trx, engine }: Writing,
  ids: string[],
  { at, now, reason }: InterruptOptions,
): Promise<InterruptedRun[]> {
  const rows = await trx
    .selectFrom("annex_cron_runs")
    .selectAll()
    .where("id", "in", ids)
    .orderBy("id")
    .$if(engine === "postgres", (query) => query.forUpdate())
    .execute();
  const ends = rows.map(
    (row): RunEnd => ({
      id: row.id,
      jobId: row.job_id,
      status: "interrupted",
      startedAt: row.started_at,
      endedAt: Math.max(at, row.started_at),
      durationMs: Math.max(0, at - row.started_at),
      progress: row.progress,
      output: withError(row.output, `Interrupted: ${reason}`),
      retry: retryOf(row, now),
    }),
  );
  return (await endRuns({ trx, engine }, ends, ["running"])).map(({ id, jobId }) => ({ id, jobId }));
}

/** The retry of an interrupted run, if it is to have one. */
function retryOf(row: RunRow, now: number): QueuedRow | undefined {
  if (row.retry_plan === null || row.cancelled_by !== null) return undefined;
  return createRetry(row, JSON.parse(row.retry_plan), { now, reason: "interrupted" });
}
