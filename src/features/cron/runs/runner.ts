import { setTimeout as delay } from "node:timers/promises";
import type { Redactor } from "../../../lib/redaction/redactor.ts";
import { type Traced, traceContext } from "../../../lib/trace-context.ts";
import { INSTANCE_FENCED, INSTANCE_FULL, JOB_GROUP_FULL, JOB_IS_RUNNING } from "../errors.ts";
import type { WaitingTicks } from "../limits/backlog.ts";
import { findSettled } from "../limits/find-settled.ts";
import type { Limits } from "../limits/limits.ts";
import { Room } from "../limits/room.ts";
import { type ActiveRun, ActiveRuns } from "./active-runs.ts";
import { Execution, type Outcome } from "./execution.ts";
import { RunEnding, type RunEndingOptions } from "./run-ending.ts";
import { RunQueue } from "./run-queue.ts";
import { type PreparedRequest, prepare, type RowOptions, type RunRequest, tickOf } from "./run-request.ts";
import type { RunnableJob } from "./runnable-job.ts";
import { toSlices } from "./spread.ts";

export interface RunnerOptions extends RowOptions, RunEndingOptions {
  /** Whether this instance may run jobs. It may not if others could consider it dead. */
  mayRun(): boolean;
  /** The number of instances that are alive, as far as it is known. */
  instanceCount(): number;
  /** How many runs may be in progress. */
  readonly limits: Limits;
  /** Called for each run that is about to start. */
  onBegun?(): void;
  /** Called for each tick that is not due yet by the clock of the database. */
  onEarly?(tick: RunRequest): void;
  /** Called for each retry that was added to the queue. */
  onQueued?(runAt: number): void;
  /** Redacts the output of runs. */
  readonly redactor?: Redactor;
}

interface Begun {
  /** In the order of the requests. */
  readonly runs: readonly (ActiveRun | undefined)[];
  /** IDs of the runs whose group has no room. */
  readonly full: ReadonlySet<string>;
  /** IDs of the ticks that are not due yet. */
  readonly early: ReadonlySet<string>;
  /** Whether the database found the lease of this instance valid. */
  readonly hasLease: boolean;
}

/** Maximum number of queued ticks per job. Bounds the memory of jobs that never catch up. */
const maxWaiting = 100;

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
  private readonly active = new ActiveRuns();
  private readonly ending: RunEnding;
  private readonly waiting = new RunQueue<RunRequest | PreparedRequest>();
  private readonly beginning = new Set<string>();
  /** Runs of the queue that may be stored already. Only this instance can start them then. */
  private readonly unconfirmed = new Map<string, PreparedRequest>();
  private readonly starting = new Set<Promise<unknown>>();
  private readonly room: Room<RunRequest>;
  private cancelTimer: (() => void) | undefined;
  private isStopped = false;

  constructor(options: RunnerOptions) {
    this.options = options;
    this.room = this.createRoom();
    this.ending = new RunEnding(options);
  }

  /** Returns a run in progress on this instance. */
  find(runId: string): ActiveRun | undefined {
    return this.active.find(runId);
  }

  /** Whether the run is in progress or starting on this instance. */
  knows(runId: string): boolean {
    if (this.active.has(runId) || this.beginning.has(runId) || this.unconfirmed.has(runId)) return true;
    return this.waiting.some((request) => "row" in request && request.row.id === runId);
  }

  /** The ticks that wait until fewer runs are in progress. */
  get backlog(): WaitingTicks {
    return this.room.backlog;
  }

  /** Whether fewer runs are in progress than the limit of this instance. */
  get hasRoom(): boolean {
    return this.room.free > 0;
  }

  activeIds(): string[] {
    return this.active.ids;
  }

  /** The trace contexts of the runs in progress. */
  activeTraces(): Traced[] {
    return this.active.traces;
  }

  /** Runs due ticks. Ticks that cannot start are skipped or queued, depending on the job's options. */
  runTicks(requests: (RunRequest | PreparedRequest)[]): Promise<void> {
    return this.tracked(this.spreadTicks(requests));
  }

  /**
   * The instances of a fleet claim ticks in slices with a pause, each in its own order. With one statement for all, the
   * fastest instance would run everything that is due.
   */
  private async spreadTicks(requests: (RunRequest | PreparedRequest)[]): Promise<void> {
    const instanceCount = this.options.instanceCount();
    if (instanceCount < 2) await this.beginTicks(requests);
    else await this.beginInSlices(requests, instanceCount);
    if (this.room.backlog.size > 0) void this.fillRoom();
  }

  private async beginInSlices(
    requests: (RunRequest | PreparedRequest)[],
    instanceCount: number,
  ): Promise<void> {
    const { instance } = this.options;
    const slices = toSlices(requests, { instance, instanceCount }, ({ job }) => job.id);
    const ids = requests.flatMap((request) => ("row" in request ? [request.row.id] : []));
    // Runs that may be stored already must not count as orphans until their slice begins.
    for (const id of ids) this.beginning.add(id);
    try {
      for (const [index, slice] of slices.entries()) {
        if (index > 0) await delay(slicePauseMs);
        if (this.isStopped) return;
        await this.beginTicks(slice);
      }
    } finally {
      for (const id of ids) this.beginning.delete(id);
    }
  }

  /** Runs a job on request. Throws if a run is in progress and the job does not allow overlaps. */
  runNow(request: RunRequest): Promise<ActiveRun> {
    return this.tracked(this.beginNow(request));
  }

  /** Aborts all runs, because other instances may consider this one dead and run the jobs themselves. */
  abandonAll(): void {
    for (const { execution } of this.active.all()) execution.abandon();
  }

  /** Starts runs of the queue. Those that cannot start stay in it. */
  runQueued(requests: RunRequest[]): Promise<void> {
    return this.tracked(this.beginQueued(requests));
  }

  /** Drops a job's waiting ticks. */
  forget(jobId: string): void {
    this.waiting.clear(jobId);
    this.room.backlog.clear(jobId);
  }

  /** Aborts all runs in progress and waits up to `graceMs` for them. Resolves when their ends are stored. */
  async stop(graceMs: number): Promise<void> {
    this.isStopped = true;
    this.ending.stop();
    this.cancelTimer?.();
    this.waiting.clear();
    this.unconfirmed.clear();
    this.room.backlog.clear();
    const interruptAll = () => {
      for (const { execution } of this.active.all()) execution.interrupt(graceMs);
    };
    interruptAll();
    await Promise.allSettled(this.starting);
    interruptAll();
    await Promise.all(this.active.all().map(({ over }) => over));
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
    const { runs, full, hasLease } = await this.begin([prepare(request, this.options)]);
    if (!hasLease) throw INSTANCE_FENCED();
    if (full.size > 0) throw JOB_GROUP_FULL(job.group!, limits.groups[job.group!]!);
    if (!runs[0]) throw mayRun() ? JOB_IS_RUNNING(job.id) : INSTANCE_FENCED();
    return runs[0];
  }

  /** A run that excludes or fills its job or group must not keep the others from the free places. */
  private async beginQueued(requests: RunRequest[]): Promise<void> {
    let left = requests.filter(({ queued }) => !this.knows(queued!.id));
    while (left.length > 0 && this.room.free > 0 && this.options.mayRun() && !this.isStopped) {
      const tried = left.slice(0, this.room.free);
      left = left.slice(tried.length);
      await this.beginTicks(tried);
    }
  }

  private async beginTicks(requests: (RunRequest | PreparedRequest)[]): Promise<void> {
    if (!this.options.mayRun()) {
      for (const request of requests) this.keep(request);
      return;
    }
    const { ready = [], fresh = [] } = Object.groupBy(requests, (request) =>
      "row" in request || request.queued ? "ready" : "fresh",
    );
    // A run that may be stored already does not wait for room, and one of the queue waits in the queue.
    const prepared = [...ready, ...this.room.admit(fresh)].map((request) => prepare(request, this.options));
    const running = [...new Set(prepared.map(({ job }) => job.id))].filter((id) => this.active.hasJob(id));
    try {
      const { runs, full, early, hasLease } = await this.begin(prepared);
      if (!hasLease) {
        this.options.logger.warn(
          "Failed to start job runs: the lease of this instance has expired; retrying",
        );
        this.keepAll(prepared);
        return;
      }
      for (const { row, isAgain, ...request } of prepared) {
        if (full.has(row.id) && !request.queued) this.room.hold(request);
        if (early.has(row.id)) this.options.onEarly?.(request);
      }
      const isSettled = ({ row }: PreparedRequest, index: number) =>
        runs[index] !== undefined || full.has(row.id) || early.has(row.id);
      await this.yieldToOthers(prepared.filter((request, index) => !isSettled(request, index)));
      // A run that ended meanwhile has not seen the ticks that began to wait for it.
      this.runWaiting(running.filter((id) => !this.active.hasJob(id)));
      this.keepTime();
    } catch (error) {
      // A tick must not run before it is stored; otherwise another instance or the next start would run it again.
      this.options.logger.error("Failed to store job runs; retrying", { error });
      this.keepAll(prepared);
    }
  }

  private keepAll(requests: readonly PreparedRequest[]): void {
    for (const request of requests) if (!this.active.has(request.row.id)) this.keep(request);
  }

  /** Handles ticks that have already run or whose jobs are busy. */
  private async yieldToOthers(unstarted: PreparedRequest[]): Promise<void> {
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
    if (this.active.hasJob(job.id)) this.options.logger.warn(message, data);
    else this.options.logger.debug(message, data);
  }

  /** Stores the runs and starts those that were stored. Results are in the order of the requests. */
  private async begin(requests: PreparedRequest[]): Promise<Begun> {
    if (this.isStopped || requests.length === 0)
      return { runs: requests.map(() => undefined), full: new Set(), early: new Set(), hasLease: true };
    const { store, clock, instance } = this.options;
    const sentAt = clock.elapsed();
    const ids = requests.map(({ row }) => row.id);
    for (const id of ids) this.beginning.add(id);
    try {
      const queued = requests.flatMap((request) => (request.queued ? [request.queued.id] : []));
      const { begun, full, early, hasLease } = await store.begin(
        requests.map(({ row }) => row),
        queued,
      );
      const again = requests
        .filter(({ isAgain, row }) => isAgain && !begun.has(row.id))
        .map(({ row }) => row.id);
      const found = again.length === 0 ? begun : begun.union(await store.findBegun(again, instance));
      const isSlow = found.size > 0 && clock.elapsed() - sentAt >= slowMs;
      const own = isSlow ? await store.findBegun([...found], instance) : found;
      // A run that is not started is an orphan of this instance, which the next round interrupts.
      const mayStart = hasLease && this.options.mayRun() ? own : new Set<string>();
      const runs = requests.map((request) =>
        mayStart.has(request.row.id) ? this.start(request) : undefined,
      );
      return { runs, full: full.difference(found), early: early.difference(found), hasLease };
    } finally {
      for (const id of ids) this.beginning.delete(id);
    }
  }

  private start(request: PreparedRequest): ActiveRun {
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
        if (late !== undefined) void this.ending.addLateError(run, late);
      },
    });
    traceContext.run({ traceId: row.trace_id }, () => logger.debug(`Job "${job.id}" started`, data));
    const over = execution.ended.then((outcome) => this.end(job, run, outcome));
    const run: ActiveRun = { row, execution, over, savedEntries: 0, lateErrors: 0 };
    this.active.add(run);
    this.options.onBegun?.();
    this.keepTime();
    return run;
  }

  private async end(job: RunnableJob, run: ActiveRun, outcome: Outcome): Promise<void> {
    const retry = await this.ending.end(job, run, outcome);
    this.active.delete(run);
    if (this.isStopped) return;
    if (retry) this.options.onQueued?.(retry.run_at);
    this.runWaiting([job.id]);
    void this.fillRoom();
  }

  /** Keeps a request that could not be stored. A run that is certainly still in the queue is left to the next poll. */
  private keep(request: RunRequest | PreparedRequest): void {
    if (!request.queued) this.wait(request);
    else if ("row" in request) this.unconfirmed.set(request.row.id, request);
    this.keepTime();
  }

  private confirmQueued(): void {
    const requests = [...this.unconfirmed.values()];
    if (requests.length === 0) return;
    for (const { row } of requests) this.beginning.add(row.id);
    this.unconfirmed.clear();
    const beginning = this.beginTicks(requests).finally(() => {
      for (const { row } of requests) this.beginning.delete(row.id);
    });
    void this.tracked(beginning);
  }

  /**
   * Queues a tick that could not start: up to `maxWaiting` for jobs with overlap "queue", otherwise only the last one.
   */
  private wait(request: RunRequest | PreparedRequest): void {
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
    const { clock, store, logger } = this.options;
    this.cancelTimer = clock.after(oftenMs, async () => {
      await this.active.saveOutputs(store, logger);
      this.runWaiting(this.waiting.jobIds.filter((id) => !this.active.hasJob(id)));
      this.confirmQueued();
      void this.fillRoom();
      this.cancelTimer = undefined;
      this.keepTime();
    });
  }

  private hasWork(): boolean {
    const { active, unconfirmed, waiting, room } = this;
    return active.size > 0 || unconfirmed.size > 0 || !waiting.isEmpty || room.backlog.size > 0;
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
        this.active.size +
        this.beginning.size +
        this.unconfirmed.size +
        this.waiting.count((request) => "row" in request),
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
}
