import type { EndedRun } from "../../../feature/index.ts";
import type { AlarmClock } from "../../../lib/time/clock.ts";
import { traceContext } from "../../../lib/trace-context.ts";
import type { CronLogger } from "../logger.ts";
import type { QueuedRow } from "../queue/queue-store.ts";
import { createRetry, planForInterruption } from "../queue/retry-plan.ts";
import type { ActiveRun } from "./active-runs.ts";
import { createBatch } from "./batch.ts";
import type { Outcome } from "./execution.ts";
import type { RunEnd } from "./run.ts";
import type { RunnableJob } from "./runnable-job.ts";
import type { NewRun } from "./store/begin-runs.ts";
import type { RunStore } from "./store/run-store.ts";

export interface RunEndingOptions {
  readonly clock: AlarmClock;
  readonly store: RunStore;
  readonly logger: CronLogger;
  /** Returns the current definition of a job if its schedule is active. */
  currentJob(id: string): RunnableJob | undefined;
  /** Called for each run that ends in this process. */
  onEnded?(run: EndedRun): void;
}

/** Errors that background work can add to the output of a run that has ended. */
const maxLateErrors = 10;

/** Interval for retrying when the store fails. */
const retryMs = 1_000;

/** Reports and stores the ends of runs, together with their retries. */
export class RunEnding {
  private readonly options: RunEndingOptions;
  private readonly save: (end: RunEnd) => Promise<void>;
  private isStopped = false;

  constructor(options: RunEndingOptions) {
    this.options = options;
    this.save = createBatch((ends) => options.store.end(ends));
  }

  /** From now on, an end that cannot be stored is left to the next start. */
  stop(): void {
    this.isStopped = true;
  }

  /** Stores the end of a run. Returns the retry that was queued with it. */
  async end(job: RunnableJob, run: ActiveRun, outcome: Outcome): Promise<QueuedRow | undefined> {
    const end = this.createEnd(job, run, outcome);
    traceContext.run({ traceId: run.row.trace_id }, () => this.report(run, end, outcome));
    await this.write(end);
    return end.retry;
  }

  /** Adds an error of background work to a run that has ended. Its status stays: the function had ended. */
  async addLateError(run: ActiveRun, text: string): Promise<void> {
    if (run.lateErrors++ >= maxLateErrors) return;
    const { id, job_id } = run.row;
    try {
      await run.over;
      await this.options.store.addError(id, `After the end of the run: ${text}`);
    } catch (error) {
      this.options.logger.warn("Failed to store job output", { job_id, run_id: id, error });
    }
  }

  private createEnd(
    job: RunnableJob,
    { row, execution }: ActiveRun,
    { status, isCancelled }: Outcome,
  ): RunEnd {
    const { clock, currentJob } = this.options;
    const { startedAt, durationMs } = execution;
    // Nothing is retried after a cancellation, or if the job was paused or removed meanwhile.
    const isFinal = status === "success" || isCancelled || !currentJob(job.id);
    return {
      id: row.id,
      jobId: row.job_id,
      status,
      startedAt,
      endedAt: startedAt + durationMs,
      durationMs,
      progress: execution.progress ?? null,
      output: execution.output.toString(),
      retry: isFinal ? undefined : retryOf(job, row, { status, now: clock.now() }),
    };
  }

  private report({ row }: ActiveRun, { status, durationMs }: RunEnd, { error, isCancelled }: Outcome): void {
    const { logger } = this.options;
    const hasFailed = status !== "success" && status !== "interrupted" && !isCancelled;
    this.announce({ jobId: row.job_id, traceId: row.trace_id, status, ...(hasFailed && { error }) });
    const data = { job_id: row.job_id, run_id: row.id, status, duration_ms: durationMs };
    if (status === "success") logger.debug(`Job "${row.job_id}" succeeded`, data);
    else if (isCancelled || status === "interrupted") logger.warn(`Job "${row.job_id}" was stopped`, data);
    else logger.error(`Job "${row.job_id}" failed`, { ...data, ...(error !== undefined && { error }) });
  }

  /** A failing subscriber must not prevent the end of a run from being stored. */
  private announce(run: EndedRun): void {
    try {
      this.options.onEnded?.(run);
    } catch (error) {
      this.options.logger.error("Failed to count the end of a job run", { job_id: run.jobId, error });
    }
  }

  /** Retries until the end is stored. The job counts as running until then. */
  private async write(end: RunEnd): Promise<void> {
    for (let hasFailed = false; ; hasFailed = true) {
      try {
        return await this.save(end);
      } catch (error) {
        if (!hasFailed) {
          const data = { job_id: end.jobId, run_id: end.id, error };
          this.options.logger.error("Failed to store the result of a job run", data);
        }
        if (this.isStopped) return;
        await new Promise<void>((resolve) => this.options.clock.after(retryMs, resolve));
      }
    }
  }
}

function retryOf(
  job: RunnableJob,
  row: NewRun,
  { status, now }: { status: RunEnd["status"]; now: number },
): QueuedRow | undefined {
  const run = { parameters: null, first_run_id: null, ...row };
  if (status !== "interrupted") return createRetry(run, job.retries, { now, reason: "failed" });
  const plan = planForInterruption(job);
  return plan && createRetry(run, plan, { now, reason: "interrupted" });
}
