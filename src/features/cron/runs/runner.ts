import { setTimeout as delay } from "node:timers/promises";
import type { EndedRun } from "../../../feature/index.ts";
import type { Redactor } from "../../../lib/redaction/redactor.ts";
import type { AlarmClock } from "../../../lib/time/clock.ts";
import { type Traced, traceContext } from "../../../lib/trace-context.ts";
import { INSTANCE_FENCED, INSTANCE_FULL, JOB_GROUP_FULL, JOB_IS_RUNNING } from "../errors.ts";
import type { WaitingTicks } from "../limits/backlog.ts";
import { findSettled } from "../limits/find-settled.ts";
import type { Limits } from "../limits/limits.ts";
import { Room } from "../limits/room.ts";
import type { CronLogger } from "../logger.ts";
import type { QueuedRow } from "../queue/queue-store.ts";
import { createRetry, planForInterruption } from "../queue/retry-plan.ts";
import type { Trigger } from "../tables.ts";
import { createBatch } from "./batch.ts";
import { Execution, type Outcome } from "./execution.ts";
import { type RunEnd, tickName } from "./run.ts";
import { RunQueue } from "./run-queue.ts";
import type { NewRun, RunStore } from "./run-store.ts";
import type { RunnableJob } from "./runnable-job.ts";
import { toSlices } from "./spread.ts";

export interface RunnerOptions {
  readonly clock: AlarmClock;
  readonly store: RunStore;
  readonly logger: CronLogger;
  /** ID of this instance; each process has its own. */
  readonly instance: string;
  /** The name of the instance, for people. */
  readonly instanceName: string;
  /** Whether this instance may run jobs. It may not if others could consider it dead. */
  mayRun(): boolean;
  /** The number of instances that are alive, as far as it is known. */
  instanceCount(): number;
  /** How many runs may be in progress. */
  readonly limits: Limits;
  createRunId(): string;
  createTraceId(): string;
  /** Returns the current definition of a job if its schedule is active. */
  currentJob(id: string): RunnableJob | undefined;
  /** Called for each run that ends in this process. */
  onEnded?(run: EndedRun): void;
  /** Called for each retry that was added to the queue. */
  onQueued?(runAt: number): void;
  /** Redacts the output of runs. */
  readonly redactor?: Redactor;
}

/** A request to run a job for a scheduled time. */
export interface RunRequest {
  readonly job: RunnableJob;
  readonly scheduledAt: number;
  readonly trigger: Trigger;
  /** Whether the run belongs to a tick, which may run only once across all instances. */
  readonly isTick: boolean;
  /** Whether it has waited for room: see `WaitingTick`. */
  readonly hasWaited?: boolean;
  readonly actor?: string | undefined;
  readonly traceId?: string | undefined;
  /** JSON of the parameters. */
  readonly parameters?: string | undefined;
  /** The row of the queue that becomes the run. */
  readonly queued?: QueuedRow;
}

/** A request with its row. A repeated attempt to store it uses the same row. */
interface Prepared extends RunRequest {
  readonly row: NewRun;
  readonly isAgain: boolean;
}

interface Begun {
  /** In the order of the requests. */
  readonly runs: readonly (ActiveRun | undefined)[];
  /** IDs of the runs whose group has no room. */
  readonly full: ReadonlySet<string>;
}

export interface ActiveRun {
  readonly row: NewRun;
  readonly execution: Execution;
  /** Monotonic start time. */
  readonly begin: number;
  /** Resolves when the end of the run is stored. */
  readonly over: Promise<void>;
  /** Number of output entries that have been stored. */
  savedEntries: number;
  /** Number of errors after the end. */
  lateErrors: number;
}

/** Maximum number of queued ticks per job. Bounds the memory of jobs that never catch up. */
const maxWaiting = 100;

/** Errors that background work can add to the output of a run that has ended. */
const maxLateErrors = 10;

/** Real time for the other instances to claim their slices. */
const slicePauseMs = 20;

/**
 * If storing takes longer, for example because the process was suspended, others may have given up the runs. The lease of
 * an instance that may run is valid for six seconds at least.
 */
const slowMs = 5_000;

/** Interval for storing output, and for retrying when the store fails or another instance runs the job. */
const oftenMs = 1_000;

/** Runs jobs once per tick, applies their overlap and retry options and stores their runs. */
export class Runner {
  private readonly options: RunnerOptions;
  private readonly active = new Map<string, ActiveRun>();
  private readonly activeByJob = new Map<string, Set<ActiveRun>>();
  private readonly waiting = new RunQueue<RunRequest | Prepared>();
  private readonly beginning = new Set<string>();
  private readonly saveEnd: (end: RunEnd) => Promise<void>;
  private readonly starting = new Set<Promise<unknown>>();
  private readonly room: Room<RunRequest>;
  private cancelTimer: (() => void) | undefined;
  private isStopped = false;

  constructor(options: RunnerOptions) {
    this.options = options;
    this.room = this.createRoom();
    this.saveEnd = createBatch((ends) => options.store.end(ends));
  }

  /** Returns a run in progress on this instance. */
  find(runId: string): ActiveRun | undefined {
    return this.active.get(runId);
  }

  /** Whether the run is in progress or starting on this instance. */
  knows(runId: string): boolean {
    if (this.active.has(runId) || this.beginning.has(runId)) return true;
    return this.waiting.some((request) => "row" in request && request.row.id === runId);
  }

  /** The ticks that wait until fewer runs are in progress. */
  get backlog(): WaitingTicks {
    return this.room.backlog;
  }

  activeIds(): string[] {
    return [...this.active.keys()];
  }

  /** The trace contexts of the runs in progress. */
  activeTraces(): Traced[] {
    return [...this.active.values()].map(({ execution }) => execution.traced);
  }

  /** Runs due ticks. Ticks that cannot start are skipped or queued, depending on the job's options. */
  runTicks(requests: RunRequest[]): Promise<void> {
    return this.tracked(this.spreadTicks(requests));
  }

  /**
   * The instances of a fleet claim ticks in slices with a pause, each in its own order. With one statement for all, the
   * fastest instance would run everything that is due.
   */
  private async spreadTicks(requests: RunRequest[]): Promise<void> {
    const instanceCount = this.options.instanceCount();
    if (instanceCount < 2) await this.beginTicks(requests);
    else await this.beginInSlices(requests, instanceCount);
    if (this.room.backlog.size > 0) void this.fillRoom();
  }

  private async beginInSlices(requests: RunRequest[], instanceCount: number): Promise<void> {
    const { instance } = this.options;
    const slices = toSlices(requests, { instance, instanceCount }, ({ job }) => job.id);
    for (const [index, slice] of slices.entries()) {
      if (index > 0) await delay(slicePauseMs);
      if (this.isStopped) return;
      await this.beginTicks(slice);
    }
  }

  /** Runs a job on request. Throws if a run is in progress and the job does not allow overlaps. */
  runNow(request: RunRequest): Promise<ActiveRun> {
    return this.tracked(this.beginNow(request));
  }

  /** Aborts all runs, because other instances may consider this one dead and run the jobs themselves. */
  abandonAll(): void {
    for (const { execution } of this.active.values()) execution.abandon();
  }

  /** Starts runs of the queue. Those that cannot start stay in it. */
  runQueued(requests: RunRequest[]): Promise<void> {
    return this.tracked(this.beginTicks(requests.slice(0, this.room.free)));
  }

  /** Drops a job's waiting ticks. */
  forget(jobId: string): void {
    this.waiting.clear(jobId);
    this.room.backlog.clear(jobId);
  }

  /** Aborts all runs in progress and waits up to `graceMs` for them. Resolves when their ends are stored. */
  async stop(graceMs: number): Promise<void> {
    this.isStopped = true;
    this.cancelTimer?.();
    this.waiting.clear();
    this.room.backlog.clear();
    const interruptAll = () => {
      for (const { execution } of this.active.values()) execution.interrupt(graceMs);
    };
    interruptAll();
    await Promise.allSettled(this.starting);
    interruptAll();
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
    const { mayRun, limits } = this.options;
    if (!mayRun()) throw INSTANCE_FENCED();
    if (this.room.free === 0) throw INSTANCE_FULL(limits.concurrency!);
    const { job } = request;
    const { runs, full } = await this.begin([this.prepare(request)]);
    if (full.size > 0) throw JOB_GROUP_FULL(job.group!, limits.groups[job.group!]!);
    if (!runs[0]) throw mayRun() ? JOB_IS_RUNNING(job.id) : INSTANCE_FENCED();
    return runs[0];
  }

  private async beginTicks(requests: (RunRequest | Prepared)[]): Promise<void> {
    if (!this.options.mayRun()) {
      for (const request of requests) this.wait(request);
      return;
    }
    const { ready = [], fresh = [] } = Object.groupBy(requests, (request) =>
      "row" in request || request.queued ? "ready" : "fresh",
    );
    // A run that may be stored already does not wait for room, and one of the queue waits in the queue.
    const prepared = [...ready, ...this.room.admit(fresh)].map((request) => this.prepare(request));
    try {
      const { runs, full } = await this.begin(prepared);
      for (const { row, isAgain, ...request } of prepared)
        if (full.has(row.id) && !request.queued) this.room.hold(request);
      await this.yieldToOthers(prepared.filter(({ row }, index) => !runs[index] && !full.has(row.id)));
      this.keepTime();
    } catch (error) {
      // A tick must not run before it is stored; otherwise another instance or the next start would run it again.
      this.options.logger.error("Failed to store job runs; retrying", { error });
      for (const request of prepared) if (!this.active.has(request.row.id)) this.wait(request);
    }
  }

  /** Handles ticks that have already run or whose jobs are busy. */
  private async yieldToOthers(unstarted: Prepared[]): Promise<void> {
    const requests = unstarted.filter(({ queued }) => !queued);
    const ticks = requests.flatMap(({ row }) => row.tick ?? []);
    if (requests.length === 0) return;
    const taken = ticks.length === 0 ? new Set() : await this.options.store.findTicks(ticks);
    for (const request of requests) {
      if (taken.has(request.row.tick)) continue;
      const { row, isAgain, ...unwritten } = request;
      if (request.hasWaited) this.room.hold(unwritten);
      else if (request.job.overlap === "queue" || request.trigger === "catch-up") this.wait(unwritten);
      else this.reportSkip(request);
    }
  }

  private reportSkip({ job, scheduledAt }: RunRequest): void {
    const message = `Skipped job "${job.id}": previous run in progress`;
    const data = { job_id: job.id, scheduled_at: new Date(scheduledAt) };
    // Only the instance that has the run logs a warning.
    if (this.activeByJob.has(job.id)) this.options.logger.warn(message, data);
    else this.options.logger.debug(message, data);
  }

  private prepare(request: RunRequest | Prepared): Prepared {
    // The run starts with this attempt to store it, not with the first one.
    return "row" in request
      ? { ...request, row: { ...request.row, started_at: this.options.clock.now() }, isAgain: true }
      : { ...request, row: this.createRow(request), isAgain: false };
  }

  /** Stores the runs and starts those that were stored. Results are in the order of the requests. */
  private async begin(requests: Prepared[]): Promise<Begun> {
    if (this.isStopped || requests.length === 0)
      return { runs: requests.map(() => undefined), full: new Set() };
    const { store, clock } = this.options;
    const sentAt = clock.elapsed();
    const ids = requests.map(({ row }) => row.id);
    for (const id of ids) this.beginning.add(id);
    try {
      const queued = requests.flatMap((request) => (request.queued ? [request.queued.id] : []));
      const { begun, full } = await store.begin(
        requests.map(({ row }) => row),
        queued,
      );
      const again = requests
        .filter(({ isAgain, row }) => isAgain && !begun.has(row.id))
        .map(({ row }) => row.id);
      const found = again.length === 0 ? begun : begun.union(await store.findBegun(again));
      const isSlow = found.size > 0 && clock.elapsed() - sentAt >= slowMs;
      const own = isSlow ? await store.findBegun([...found]) : found;
      // A run that is not started is an orphan of this instance, which the next round interrupts.
      const mayStart = this.options.mayRun() ? own : new Set<string>();
      const runs = requests.map((request) =>
        mayStart.has(request.row.id) ? this.start(request) : undefined,
      );
      return { runs, full: full.difference(found) };
    } finally {
      for (const id of ids) this.beginning.delete(id);
    }
  }

  private createRow(request: RunRequest): NewRun {
    const { job, scheduledAt, trigger, actor, traceId, parameters, queued } = request;
    const { clock, instance, instanceName, createRunId, createTraceId } = this.options;
    const plan = planForInterruption(job);
    return {
      id: queued?.id ?? createRunId(),
      job_id: job.id,
      job_name: job.name,
      trigger,
      actor: actor ?? null,
      trace_id: traceId ?? createTraceId(),
      scheduled_at: scheduledAt,
      attempt: queued?.attempt ?? 1,
      started_at: clock.now(),
      instance,
      instance_name: instanceName,
      tick: tickOf(request),
      exclusive: job.overlap === "allow" ? null : job.id,
      parameters: parameters ?? null,
      retry_plan: plan ? JSON.stringify(plan) : null,
      job_group: job.group ?? null,
    };
  }

  private start(request: Prepared): ActiveRun {
    const { clock, logger, redactor } = this.options;
    const { job, row, scheduledAt } = request;
    const data = { job_id: job.id, run_id: row.id, trigger: row.trigger };
    const execution = new Execution({
      clock,
      run: job.run,
      jobId: job.id,
      runId: row.id,
      traceId: row.trace_id,
      scheduledAt,
      attempt: row.attempt,
      parameters: { json: row.parameters ?? null, schema: job.parameters },
      timeoutMs: job.timeoutMs,
      ...(redactor && { redactor }),
      onUnhandled: (error, late) => {
        logger.error(`Unhandled error in background work of job "${job.id}"`, { ...data, error });
        if (late !== undefined) void this.addLateError(run, late);
      },
    });
    traceContext.run({ traceId: row.trace_id }, () => logger.debug(`Job "${job.id}" started`, data));
    const over = execution.ended.then((outcome) => this.end(request, run, outcome));
    const run: ActiveRun = { row, execution, begin: clock.elapsed(), over, savedEntries: 0, lateErrors: 0 };
    this.active.set(row.id, run);
    const ofJob = this.activeByJob.get(job.id) ?? new Set();
    this.activeByJob.set(job.id, ofJob.add(run));
    this.keepTime();
    return run;
  }

  private async end(request: RunRequest, run: ActiveRun, outcome: Outcome): Promise<void> {
    const { job } = request;
    const end = this.createEnd(request, run, outcome);
    traceContext.run({ traceId: run.row.trace_id }, () => this.report(run, end, outcome));
    await this.writeEnd(end);
    this.active.delete(run.row.id);
    const ofJob = this.activeByJob.get(job.id);
    ofJob?.delete(run);
    if (ofJob?.size === 0) this.activeByJob.delete(job.id);
    if (this.isStopped) return;
    if (end.retry) this.options.onQueued?.(end.retry.run_at);
    this.runWaiting([job.id]);
    void this.fillRoom();
  }

  /** The status stays as it is: the function had ended. */
  private async addLateError(run: ActiveRun, text: string): Promise<void> {
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
    { job }: RunRequest,
    { row, execution, begin }: ActiveRun,
    { status, isCancelled }: Outcome,
  ): RunEnd {
    const { clock, currentJob } = this.options;
    // Nothing is retried after a cancellation, or if the job was paused or removed meanwhile.
    const isFinal = status === "success" || isCancelled || !currentJob(job.id);
    return {
      id: row.id,
      jobId: row.job_id,
      status,
      startedAt: row.started_at,
      endedAt: Math.max(clock.now(), row.started_at),
      durationMs: Math.round(clock.elapsed() - begin),
      progress: execution.progress ?? null,
      output: execution.output.toString(),
      retry: isFinal ? undefined : this.createRetry(job, row, status),
    };
  }

  private createRetry(job: RunnableJob, row: NewRun, status: RunEnd["status"]): QueuedRow | undefined {
    const now = this.options.clock.now();
    if (status !== "interrupted")
      return createRetry({ parameters: null, ...row }, job.retries, { now, reason: "failed" });
    const plan = planForInterruption(job);
    return plan && createRetry({ parameters: null, ...row }, plan, { now, reason: "interrupted" });
  }

  private report({ row }: ActiveRun, { status, durationMs }: RunEnd, { error, isCancelled }: Outcome): void {
    const { logger } = this.options;
    const hasFailed = status !== "success" && status !== "interrupted" && !isCancelled;
    this.announceEnd({ jobId: row.job_id, traceId: row.trace_id, status, ...(hasFailed && { error }) });
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

  /** A failing subscriber must not prevent the end of a run from being stored. */
  private announceEnd(run: EndedRun): void {
    try {
      this.options.onEnded?.(run);
    } catch (error) {
      this.options.logger.error("Failed to count the end of a job run", { job_id: run.jobId, error });
    }
  }

  /** Retries until the end is stored. The job counts as running until then. */
  private async writeEnd(end: RunEnd): Promise<void> {
    for (let hasFailed = false; ; hasFailed = true) {
      try {
        return await this.saveEnd(end);
      } catch (error) {
        if (!hasFailed) {
          const data = { job_id: end.jobId, run_id: end.id, error };
          this.options.logger.error("Failed to store the result of a job run", data);
        }
        if (this.isStopped) return;
        await new Promise<void>((resolve) => this.options.clock.after(oftenMs, resolve));
      }
    }
  }

  /**
   * Queues a tick that could not start: up to `maxWaiting` for jobs with overlap "queue", otherwise only the last one.
   */
  private wait(request: RunRequest | Prepared): void {
    const { id, overlap } = request.job;
    const isQueue = overlap === "queue";
    const hasDropped = this.waiting.add(request, isQueue ? maxWaiting : 1);
    if (hasDropped && isQueue) {
      const message = `Queue of job "${id}" is full (${maxWaiting}); dropped the oldest run`;
      this.options.logger.warn(message, { job_id: id });
    }
    this.keepTime();
  }

  /** Tries to start the first queued tick of each of these jobs. */
  private runWaiting(jobIds: string[]): void {
    const requests = this.withCurrentJobs(jobIds.flatMap((id) => this.waiting.takeFirst(id) ?? []));
    if (requests.length > 0) void this.runTicks(requests);
  }

  /** Without the requests whose job is paused or removed. */
  private withCurrentJobs<T extends RunRequest>(requests: readonly T[]): T[] {
    return requests.flatMap((request) => {
      const job = this.options.currentJob(request.job.id);
      return job ? [{ ...request, job }] : [];
    });
  }

  /** Once per second while runs are active or queued: stores new output and retries queued ticks. */
  private keepTime(): void {
    if (this.cancelTimer || this.isStopped || !this.hasWork()) return;
    this.cancelTimer = this.options.clock.after(oftenMs, async () => {
      await this.saveOutputs();
      this.runWaiting(this.waiting.jobIds.filter((id) => !this.activeByJob.has(id)));
      void this.fillRoom();
      this.cancelTimer = undefined;
      this.keepTime();
    });
  }

  private hasWork(): boolean {
    return this.active.size > 0 || !this.waiting.isEmpty || this.room.backlog.size > 0;
  }

  private fillRoom(): Promise<void> {
    return this.tracked(this.options.mayRun() ? this.room.fill() : Promise.resolve());
  }

  private createRoom(): Room<RunRequest> {
    const { limits, logger, store } = this.options;
    return new Room({
      concurrency: limits.concurrency,
      // Runs whose confirmation was lost may be in progress.
      countRuns: () =>
        this.active.size + this.beginning.size + this.waiting.count((request) => "row" in request),
      begin: (requests) => this.beginTicks(this.withCurrentJobs(requests)),
      findSettled: (requests) => findSettled(store, requests, tickOf),
      onSkip: (request) => this.reportSkip(request),
      onDrop: ({ job, scheduledAt }) =>
        logger.debug(`Skipped job "${job.id}": too many of its ticks are waiting`, {
          job_id: job.id,
          scheduled_at: new Date(scheduledAt),
        }),
      onWait: () => logger.info("Due jobs wait: a limit of concurrent runs is reached", { ...limits }),
      onError: (error) => logger.error("Failed to start waiting jobs; retrying", { error }),
    });
  }

  private async saveOutputs(): Promise<void> {
    const changed = [...this.active.values()].filter(
      ({ execution, savedEntries }) => execution.output.count > savedEntries,
    );
    if (changed.length === 0) return;
    const counts = changed.map(({ execution }) => execution.output.count);
    const outputs = changed.map(({ row, execution: { output, progress = null } }) => ({
      id: row.id,
      output: output.toString(),
      progress,
    }));
    try {
      await this.options.store.saveOutput(outputs);
      for (const [index, run] of changed.entries()) run.savedEntries = counts[index]!;
    } catch (error) {
      this.options.logger.warn("Failed to store job output; retrying", { error });
    }
  }
}

/** Tick name of a run; `null` for manual runs. Each retry has its own name. */
function tickOf({ job, scheduledAt, isTick, queued }: RunRequest): string | null {
  if (queued) return queued.tick;
  return isTick ? tickName(job.id, scheduledAt) : null;
}
