import type { AlarmClock } from "../../lib/clock.ts";
import { traceContext } from "../../lib/trace-context.ts";
import { JOB_IS_RUNNING } from "../errors.ts";
import { type JobDefinition, retryDelay } from "../job.ts";
import type { Trigger } from "../tables.ts";
import { createBatch } from "./batch.ts";
import { Execution, type Outcome } from "./execution.ts";
import type { RunEnd } from "./run.ts";
import type { NewRun, RunStore } from "./run-store.ts";

/** The part of a logger that jobs are reported to. */
export interface CronLogger {
  debug(message: string, data?: object): void;
  info(message: string, data?: object): void;
  warn(message: string, data?: object): void;
  error(message: string, data?: object): void;
}

export interface RunnerOptions {
  readonly clock: AlarmClock;
  readonly store: RunStore;
  readonly logger: CronLogger;
  /** Who writes these runs; another process is another instance. */
  readonly instance: string;
  createRunId(): string;
  createTraceId(): string;
}

/** What a run is to be: of which job, for which moment, because of what. */
export interface RunRequest {
  readonly job: JobDefinition;
  readonly scheduledAt: number;
  readonly trigger: Trigger;
  readonly attempt?: number;
  /** Whether the schedule asked for it, so that nobody else may run that tick. */
  readonly isTick: boolean;
  readonly actor?: string | undefined;
  readonly traceId?: string | undefined;
}

export interface ActiveRun {
  readonly row: NewRun;
  readonly execution: Execution;
  /** Settles when the end is written. */
  readonly over: Promise<void>;
  /** How many entries of its output have been written. */
  savedEntries: number;
}

/** Ticks of one job that wait for the run before them. A job that never catches up must not fill the memory. */
const maxWaiting = 100;

/** How often output is written, and how long to wait when the store cannot be written or another instance has the job. */
const oftenMs = 1_000;

/** Runs jobs: once per tick, beside each other or not as the job wants, again if they fail, and writes it all down. */
export class Runner {
  private readonly options: RunnerOptions;
  private readonly active = new Map<string, ActiveRun>();
  private readonly activeByJob = new Map<string, Set<ActiveRun>>();
  private readonly waiting = new Map<string, RunRequest[]>();
  private readonly retries = new Map<string, Set<() => void>>();
  private readonly saveEnd: (end: RunEnd) => Promise<void>;
  private readonly starting = new Set<Promise<unknown>>();
  private cancelTimer: (() => void) | undefined;
  private isStopped = false;

  constructor(options: RunnerOptions) {
    this.options = options;
    this.saveEnd = createBatch((ends) => options.store.end(ends));
  }

  /** The runs in progress here. */
  runsOf(jobId: string): ActiveRun[] {
    return [...(this.activeByJob.get(jobId) ?? [])];
  }

  find(runId: string): ActiveRun | undefined {
    return this.active.get(runId);
  }

  /** Runs what is due. What cannot begin is skipped or waits, as its job wants. */
  runTicks(requests: RunRequest[]): Promise<void> {
    return this.tracked(this.beginTicks(requests));
  }

  /** Runs a job because somebody said so; refuses when it is running and does not run beside itself. */
  runNow(request: RunRequest): Promise<ActiveRun> {
    return this.tracked(this.beginNow(request));
  }

  /** Forgets what was to come of a job: ticks that wait and retries. */
  forget(jobId: string): void {
    this.waiting.delete(jobId);
    this.cancelRetries(jobId);
  }

  /** Gives everything in progress the signal and that much time; returns when the ends are written. */
  async stop(graceMs: number): Promise<void> {
    this.isStopped = true;
    this.cancelTimer?.();
    for (const jobId of [...this.retries.keys()]) this.cancelRetries(jobId);
    this.waiting.clear();
    await Promise.allSettled(this.starting);
    for (const { execution } of this.active.values()) execution.interrupt(graceMs);
    await Promise.all([...this.active.values()].map(({ over }) => over));
  }

  private async tracked<T>(work: Promise<T>): Promise<T> {
    this.starting.add(work);
    try {
      return await work;
    } finally {
      this.starting.delete(work);
    }
  }

  private async beginNow(request: RunRequest): Promise<ActiveRun> {
    const [begun] = await this.begin([request]);
    if (!begun) throw JOB_IS_RUNNING(request.job.id);
    return begun;
  }

  private async beginTicks(requests: RunRequest[]): Promise<void> {
    let begun: (ActiveRun | undefined)[];
    try {
      begun = await this.begin(requests);
    } catch (error) {
      // Nobody may run a tick that is not written down: another instance, or the next start, would run it again.
      this.options.logger.error("Runs could not be written to the store; they are tried again", { error });
      for (const request of requests) this.wait(request);
      return;
    }
    for (const [index, request] of requests.entries()) {
      if (!begun[index]) await this.yieldToOther(request);
    }
  }

  /** The tick has been run by somebody, or its job is busy. */
  private async yieldToOther(request: RunRequest): Promise<void> {
    const { job, scheduledAt } = request;
    const { logger, store } = this.options;
    const tick = tickOf(request);
    const isBusyHere = this.runsOf(job.id).some(({ row }) => row.tick !== tick);
    if (job.overlap === "queue") {
      const isDone = tick !== null && (await store.hasTick(tick).catch(() => false));
      if (!isDone) this.wait(request);
    } else if (isBusyHere && job.overlap === "skip") {
      const data = { job_id: job.id, scheduled_at: new Date(scheduledAt) };
      logger.warn(`Job "${job.id}" was not run: the run before is still in progress`, data);
    }
  }

  /** Writes the runs down and starts those that could be written; the answers are in the order of the requests. */
  private async begin(requests: RunRequest[]): Promise<(ActiveRun | undefined)[]> {
    if (this.isStopped || requests.length === 0) return requests.map(() => undefined);
    const rows = requests.map((request) => this.createRow(request));
    const begun = await this.options.store.begin(rows);
    return requests.map((request, index) => {
      const row = rows[index]!;
      return begun.has(row.id) ? this.start(request, row) : undefined;
    });
  }

  private createRow(request: RunRequest): NewRun {
    const { job, scheduledAt, trigger, attempt = 1, actor, traceId } = request;
    const { clock, instance, createRunId, createTraceId } = this.options;
    return {
      id: createRunId(),
      job_id: job.id,
      job_name: job.name,
      trigger,
      actor: actor ?? null,
      trace_id: traceId ?? createTraceId(),
      scheduled_at: scheduledAt,
      attempt,
      started_at: clock.now(),
      instance,
      tick: tickOf(request),
      exclusive: job.overlap === "allow" ? null : job.id,
    };
  }

  private start(request: RunRequest, row: NewRun): ActiveRun {
    const { clock, logger } = this.options;
    const { job, scheduledAt } = request;
    if (job.overlap !== "allow") this.cancelRetries(job.id);
    logger.debug(`Job "${job.id}" started`, { job_id: job.id, run_id: row.id, trigger: row.trigger });
    const execution = new Execution({
      clock,
      run: job.run,
      runId: row.id,
      traceId: row.trace_id,
      scheduledAt,
      timeoutMs: job.timeoutMs,
    });
    const over = execution.ended.then((outcome) => this.end(request, run, outcome));
    const run: ActiveRun = { row, execution, over, savedEntries: 0 };
    this.active.set(row.id, run);
    const ofJob = this.activeByJob.get(job.id) ?? new Set();
    this.activeByJob.set(job.id, ofJob.add(run));
    this.keepTime();
    return run;
  }

  private async end(request: RunRequest, run: ActiveRun, outcome: Outcome): Promise<void> {
    const { job, attempt = 1 } = request;
    const end = this.createEnd(run, outcome.status);
    traceContext.run({ traceId: run.row.trace_id }, () => this.report(run, end, outcome));
    await this.writeEnd(end);
    this.active.delete(run.row.id);
    const ofJob = this.activeByJob.get(job.id);
    ofJob?.delete(run);
    if (ofJob?.size === 0) this.activeByJob.delete(job.id);
    if (this.isStopped) return;
    const hasFailed = outcome.status === "failed" || outcome.status === "timeout";
    if (hasFailed && !outcome.isCancelled && attempt <= job.retries.count)
      this.retryLater(request, attempt + 1, run);
    this.runWaiting(job.id);
  }

  private createEnd({ row, execution }: ActiveRun, status: RunEnd["status"]): RunEnd {
    const endedAt = Math.max(this.options.clock.now(), row.started_at);
    return {
      id: row.id,
      jobId: row.job_id,
      status,
      startedAt: row.started_at,
      endedAt,
      durationMs: endedAt - row.started_at,
      progress: execution.progress ?? null,
      output: execution.output.toString(),
    };
  }

  private report({ row }: ActiveRun, { status, durationMs }: RunEnd, { error, isCancelled }: Outcome): void {
    const { logger } = this.options;
    const data = {
      job_id: row.job_id,
      run_id: row.id,
      status,
      duration_ms: durationMs,
    };
    if (status === "success") logger.debug(`Job "${row.job_id}" succeeded`, data);
    else if (isCancelled || status === "interrupted") logger.warn(`Job "${row.job_id}" was stopped`, data);
    else logger.error(`Job "${row.job_id}" failed`, { ...data, ...(error !== undefined && { error }) });
  }

  /** An end that cannot be written now is written later: the job counts as running until then. */
  private async writeEnd(end: RunEnd): Promise<void> {
    for (let hasFailed = false; ; hasFailed = true) {
      try {
        return await this.saveEnd(end);
      } catch (error) {
        if (!hasFailed) {
          const data = { job_id: end.jobId, run_id: end.id, error };
          this.options.logger.error("The end of a run could not be written to the store", data);
        }
        if (this.isStopped) return;
        await new Promise<void>((resolve) => this.options.clock.after(oftenMs, resolve));
      }
    }
  }

  private retryLater(request: RunRequest, attempt: number, { row }: ActiveRun): void {
    const { job } = request;
    const pending = this.retries.get(job.id) ?? new Set();
    this.retries.set(job.id, pending);
    const cancel = this.options.clock.after(retryDelay(job.retries, attempt), () => {
      pending.delete(cancel);
      void this.runTicks([{ ...request, trigger: "retry", attempt, traceId: row.trace_id }]);
    });
    pending.add(cancel);
  }

  private cancelRetries(jobId: string): void {
    for (const cancel of this.retries.get(jobId) ?? []) cancel();
    this.retries.delete(jobId);
  }

  private wait(request: RunRequest): void {
    const { job } = request;
    const queue = this.waiting.get(job.id) ?? [];
    const longest = job.overlap === "queue" ? maxWaiting : 1;
    if (queue.length >= longest) {
      queue.shift();
      if (job.overlap === "queue") {
        const data = { job_id: job.id };
        this.options.logger.warn(`Job "${job.id}" is ${maxWaiting} runs behind; the oldest is dropped`, data);
      }
    }
    queue.push(request);
    this.waiting.set(job.id, queue);
    this.keepTime();
  }

  private runWaiting(jobId: string): void {
    const queue = this.waiting.get(jobId);
    const request = queue?.shift();
    if (queue?.length === 0) this.waiting.delete(jobId);
    if (request) void this.runTicks([request]);
  }

  /** Once a second, as long as there is something to do: writes new output, tries again what waits. */
  private keepTime(): void {
    if (this.cancelTimer || this.isStopped || (this.active.size === 0 && this.waiting.size === 0)) return;
    this.cancelTimer = this.options.clock.after(oftenMs, async () => {
      await this.saveOutputs();
      for (const jobId of [...this.waiting.keys()]) if (!this.activeByJob.has(jobId)) this.runWaiting(jobId);
      this.cancelTimer = undefined;
      this.keepTime();
    });
  }

  private async saveOutputs(): Promise<void> {
    const changed = [...this.active.values()].filter(
      ({ execution, savedEntries }) => execution.output.count > savedEntries,
    );
    if (changed.length === 0) return;
    const outputs = changed.map((run) => {
      const { output, progress = null } = run.execution;
      run.savedEntries = output.count;
      return { id: run.row.id, output: output.toString(), progress };
    });
    await this.options.store.saveOutput(outputs).catch((error: unknown) => {
      this.options.logger.warn("The output of runs could not be written to the store yet", { error });
    });
  }
}

/** The name of a tick, the same for every instance that finds it due. */
function tickOf({ job, scheduledAt, attempt = 1, isTick }: RunRequest): string | null {
  return isTick ? `${job.id} ${scheduledAt}${attempt > 1 ? ` ${attempt}` : ""}` : null;
}
