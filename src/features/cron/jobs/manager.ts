import type { HealthIssue } from "../../../feature/index.ts";
import { invalid, refuseInvalid } from "../../../lib/fields.ts";
import { keepRunningDuring } from "../../../lib/node/keep-running.ts";
import { maxPerPage, toPageResponse } from "../../../lib/page.ts";
import { createToPlain, type ToPlain } from "../../../lib/redaction/plain-data.ts";
import { defaultRedactor } from "../../../lib/redaction/redactor.ts";
import { captureCaller, type SourceLocation, showLocation } from "../../../lib/source/source-location.ts";
import { type Traced, traceContext } from "../../../lib/trace-context.ts";
import { findIdleFleet } from "../cluster/find-idle-fleet.ts";
import { SharedClock } from "../cluster/shared-clock.ts";
import {
  INSTANCE_SERVES_ONLY,
  INVALID_JOB,
  JOB_IS_SYSTEM,
  JOB_MANAGER_NOT_INITIALIZED,
  JOB_UNKNOWN,
  RUN_NOT_RUNNING,
  RUN_UNKNOWN,
} from "../errors.ts";
import { findWaitingIssue } from "../limits/find-waiting-issue.ts";
import { type Limits, noLimits } from "../limits/limits.ts";
import { parseTimezone } from "../planning/timezone.ts";
import type { QueuedRun } from "../queue/queued-run.ts";
import type { ActiveRun } from "../runs/active-runs.ts";
import { type Analytics, toAnalytics } from "../runs/history/analytics.ts";
import { parseRunQuery } from "../runs/history/run-parameters.ts";
import type { RunPage, RunQuery } from "../runs/history/run-query.ts";
import type { RunSelection } from "../runs/history/run-selection.ts";
import { writeParameters } from "../runs/parameters.ts";
import type { Run } from "../runs/run.ts";
import type { RunRequest } from "../runs/run-request.ts";
import type { JobFunction } from "../runs/runnable-job.ts";
import { describeJob } from "./describe-job.ts";
import { type JobDefinition, type JobOptions, type JobParts, parseJob } from "./job.ts";
import type { ActorOptions, Job, JobManager, SchedulerStatus, StartOptions } from "./job-manager.ts";
import { cleanUp, type PruneLimits } from "./log-cleanup.ts";
import { createParts, type ManagerOptions, type ManagerParts } from "./manager-parts.ts";
import { Scheduler } from "./scheduler.ts";

export type { ManagerOptions } from "./manager-parts.ts";

export interface RunDetails {
  readonly run: Run;
  readonly attempts: readonly Run[];
  readonly retry: QueuedRun | undefined;
}

/** Connects the scheduler, the runner and the stores. */
export class Manager implements JobManager {
  private readonly options: ManagerOptions;
  /** The clock of jobs and runs: that of the database, if it is shared. */
  readonly clock: SharedClock;
  readonly runsJobs: boolean;
  readonly limits: Limits;
  /** Registered jobs and their due times. */
  readonly scheduler: Scheduler;
  private opening: Promise<ManagerParts> | undefined;
  private parts: ManagerParts | undefined;
  private isOpen = false;
  private isStopped = false;
  private toPlain: ToPlain | undefined;
  /** Where the jobs of the application were registered, by ID. */
  private readonly sources = new Map<string, SourceLocation | undefined>();

  constructor(options: ManagerOptions) {
    const { timezone, runsJobs = true, limits = noLimits } = options;
    const clock = new SharedClock(options.clock);
    this.options = options;
    this.clock = clock;
    this.runsJobs = runsJobs;
    this.limits = limits;
    this.scheduler = new Scheduler({ clock, timezone, onDue: (requests) => this.runDue(requests) });
  }

  registerJob<Parameters = unknown>(
    id: string,
    name: string,
    description: string,
    schedule: string,
    run: JobFunction<Parameters>,
    options?: JobOptions<Parameters>,
  ): void {
    const source = captureCaller(this.registerJob);
    // The schema guarantees the type of the parameters.
    const job = parseJob({ id, name, description, schedule, run: run as JobFunction, options });
    this.warnAboutTwin(job, source);
    this.register(job);
    this.sources.set(id, source);
  }

  /** The trace contexts of the runs in progress on this instance. */
  activeTraces(): readonly Traced[] {
    return this.parts?.runner.activeTraces() ?? [];
  }

  /** Registers a system job. System jobs can be paused but not removed. */
  registerSystemJob(parts: JobParts): void {
    this.register(parseJob(parts, true));
  }

  unregisterJob(id: string): void {
    const job = this.scheduler.find(id);
    if (!job) throw JOB_UNKNOWN(id);
    if (job.isSystem) throw JOB_IS_SYSTEM(id);
    this.scheduler.delete(id);
    this.sources.delete(id);
    this.parts?.runner.forget(id);
    void this.parts?.schedules.record([id]);
  }

  async list({ removed = false }: { removed?: boolean } = {}): Promise<Job[]> {
    const { jobs, runner } = await this.open();
    const listed = removed ? this.scheduler.all() : this.scheduler.jobs();
    const rows = await jobs.of(listed.map(({ id }) => id));
    const ownFirst = listed.sort((one, other) => Number(one.isSystem) - Number(other.isSystem));
    const state = { scheduler: this.scheduler, backlog: runner.backlog };
    return ownFirst.map((job) => describeJob(job, rows.get(job.id), state));
  }

  async find(id: string): Promise<Job> {
    const { jobs, runner } = await this.open();
    const state = { scheduler: this.scheduler, backlog: runner.backlog };
    return describeJob(this.scheduler.get(id), await jobs.find(id), state);
  }

  async run(id: string, { actor, traceId = currentTrace(), parameters }: StartOptions = {}): Promise<Run> {
    const { runner, log } = await this.open();
    const job = this.scheduler.get(id);
    if (!this.runsJobs) throw INSTANCE_SERVES_ONLY();
    const { row } = await runner.runNow({
      job,
      parameters: await writeParameters(parameters, job.parameters),
      scheduledAt: this.clock.now(),
      trigger: "manual",
      isTick: false,
      actor,
      traceId,
    });
    // Runs started by code are not audited: frequent ones would displace the actions of users.
    if (actor !== undefined) this.options.onChange?.({ kind: "run", subject: id, actor, runId: row.id });
    return (await log.find(row.id))!;
  }

  async runAt(id: string, time: Date, options: StartOptions = {}): Promise<QueuedRun> {
    const { queued } = await this.open();
    return queued.add(this.scheduler.get(id), time, { traceId: currentTrace(), ...options });
  }

  async listQueued(jobId?: string): Promise<QueuedRun[]> {
    return (await this.open()).queued.list(jobId);
  }

  async cancelQueued(runId: string, options: ActorOptions = {}): Promise<QueuedRun> {
    return (await this.open()).queued.cancel(runId, options);
  }

  /** Returns a run that is in the queue. */
  async findQueued(runId: string): Promise<QueuedRun | undefined> {
    return (await this.open()).queued.find(runId);
  }

  /** A run with all attempts of it, earliest first, and its queued retry. */
  async runDetails(runId: string): Promise<RunDetails> {
    const run = await this.findRun(runId);
    const { log, queued } = await (this.opening ?? this.open());
    const attempts = await log.attempts(run);
    return { run, attempts, retry: await queued.findRetryOf(attempts.at(-1)?.id ?? runId) };
  }

  /** Hides secrets in the parameters of a run. */
  redact(value: unknown): unknown {
    this.toPlain ??= createToPlain(this.options.redactor ?? defaultRedactor);
    return value === undefined ? undefined : this.toPlain(value).value;
  }

  async remove(id: string, options: ActorOptions = {}): Promise<void> {
    const { runner, state, queue } = await this.open();
    if (this.scheduler.get(id).isSystem) throw JOB_IS_SYSTEM(id);
    await state.setSwitch("removed", id, true, options);
    runner.forget(id);
    await queue.removeOf(id, "all");
  }

  async restore(id: string, options: ActorOptions = {}): Promise<void> {
    const { state, schedules } = await this.open();
    if (!this.scheduler.has(id)) throw JOB_UNKNOWN(id);
    await state.setSwitch("removed", id, false, options);
    await schedules.record([id]);
  }

  async pause(id: string, options: ActorOptions = {}): Promise<void> {
    const { runner, state, queue } = await this.open();
    await state.setSwitch("paused", this.scheduler.get(id).id, true, options);
    runner.forget(id);
    await queue.removeOf(id, "retries");
  }

  async resume(id: string, options: ActorOptions = {}): Promise<void> {
    const { state, schedules } = await this.open();
    await state.setSwitch("paused", this.scheduler.get(id).id, false, options);
    await schedules.record([id]);
  }

  async cancel(runId: string, { actor }: ActorOptions = {}): Promise<Run> {
    const { runner, runs } = await this.open();
    const run = await this.findRun(runId);
    const active = runner.find(runId);
    const isTaken = active ? active.execution.cancel(actor) : await runs.requestCancel(runId, actor ?? "");
    if (!isTaken) throw RUN_NOT_RUNNING(runId);
    this.options.onChange?.({ kind: "cancel", subject: run.jobId, actor, runId });
    return run;
  }

  async status(): Promise<SchedulerStatus> {
    const { recovery } = await this.open();
    const { startedAt, timezone, uptimeMs } = this.scheduler;
    return {
      isRunning: startedAt !== undefined && (this.runsJobs || recovery.instanceCount > 0),
      jobsCount: this.scheduler.jobs().length,
      timezone: timezone.name,
      uptimeSeconds: Math.floor(uptimeMs / 1_000),
    };
  }

  async setTimezone(name: string, options: ActorOptions = {}): Promise<string> {
    const zone = parseTimezone(name);
    const { state, schedules } = await this.open();
    await state.setTimezone(zone, options);
    await schedules.record(this.scheduler.all().map(({ id }) => id));
    return zone.name;
  }

  /** Time zone set at run time, on this or another instance; `undefined` if none was set. */
  async chosenTimezone(): Promise<string | undefined> {
    return (await this.open()).settings.get("timezone");
  }

  nextRuns(id: string, count?: number): Date[] {
    const job = this.scheduler.get(id);
    return this.scheduler.preview(job.schedule, checkCount(count), this.scheduler.zoneOf(job));
  }

  preview(
    schedule: string,
    options: { timezone?: string | undefined; count?: number | undefined } = {},
  ): Date[] {
    const { timezone, count } = options;
    const zone = timezone === undefined ? undefined : parseTimezone(timezone);
    return this.scheduler.preview(schedule, checkCount(count), zone);
  }

  async logs(query: RunQuery = {}): Promise<RunPage> {
    return this.listRuns(parseRunQuery(query));
  }

  async listRuns(selection: RunSelection): Promise<RunPage> {
    const { totalItems, items } = await (await this.open()).log.page(selection);
    return toPageResponse(selection, totalItems, items);
  }

  async findRun(runId: string): Promise<Run> {
    // The log stays readable while runs are being stopped.
    const { log } = await (this.opening ?? this.open());
    const run = await log.find(runId);
    if (!run) throw RUN_UNKNOWN(runId);
    return run;
  }

  async analytics(): Promise<Analytics> {
    return toAnalytics(await (await this.open()).log.sums());
  }

  /** Returns a run in progress in this process, to be followed. */
  async activeRun(runId: string): Promise<ActiveRun | undefined> {
    return (await this.open()).runner.find(runId);
  }

  /**
   * Since when ticks of a job may be waiting for room. An instance that only serves does not know those of others, but
   * none of them is older than the last run.
   */
  waitingSince({ id, group }: JobDefinition, lastRun: number | null = null): number {
    const { concurrency } = this.limits;
    const mayWait = group !== undefined || concurrency !== undefined;
    const since = this.runsJobs || !mayWait ? this.parts?.runner.backlog.oldest(id) : (lastRun ?? 0);
    return since ?? Number.POSITIVE_INFINITY;
  }

  /** Why this instance cannot run jobs, or runs them at other times than its clock shows. */
  fleetIssues(): readonly HealthIssue[] {
    const issues = this.parts?.membership.healthIssues() ?? [];
    if (this.runsJobs) return [...issues, ...findWaitingIssue(this.parts?.runner.backlog, this.clock.now())];
    // Without a lease, an instance that only serves has nothing to give up.
    return [
      ...issues.filter(({ id }) => id !== "lease"),
      ...findIdleFleet(this.parts?.recovery.instanceCount),
    ];
  }

  /** Deletes runs that exceed their retention or the limit. Returns the number of deleted runs. */
  async pruneRuns(limits: PruneLimits): Promise<number> {
    const { scheduler, clock, options } = this;
    const { logger } = options;
    return cleanUp({ ...(await this.open()), scheduler, logger, now: clock.now() }, limits);
  }

  /** Loads stored state and interrupts runs of crashed processes. Idempotent. */
  open(): Promise<ManagerParts> {
    if (this.isStopped) return Promise.reject(JOB_MANAGER_NOT_INITIALIZED());
    this.opening ??= keepRunningDuring(() => this.openParts()).catch((error) => {
      // Another call continues where this one failed.
      this.opening = undefined;
      throw error;
    });
    return this.opening;
  }

  /** Starts the scheduler and catches up on missed ticks. */
  async start(): Promise<void> {
    const opened = await this.open();
    // Not read again if this is repeated: the scheduler may have written it meanwhile.
    if (this.scheduler.startedAt === undefined) {
      opened.catchUp.aliveUntil = await opened.recovery.readHeartbeat();
      this.scheduler.start();
    }
    await opened.catchUp.run(this.scheduler.jobs());
    if (this.runsJobs) await opened.recovery.writeHeartbeat();
    // Other running instances may have jobs that are not registered here.
    if ((await opened.membership.instances()).live.length === 1) await opened.schedules.deleteUnregistered();
    await opened.schedules.start();
    if (this.runsJobs) opened.poller.start();
    opened.mover.start();
  }

  /** Stops the scheduler. Runs in progress are aborted and get `graceMs` to finish. */
  async stop(graceMs: number): Promise<void> {
    if (this.isStopped) return;
    this.isStopped = true;
    const stoppedAt = this.isTicking ? this.clock.now() : undefined;
    this.scheduler.stop();
    const opened = await this.opening?.catch(() => undefined);
    if (!opened) {
      await this.parts?.membership.leave().catch(() => {});
      return;
    }
    const { runner, recovery, membership, schedules, poller, shares } = opened;
    const waiting = [runner.backlog.oldest(), shares.oldest(), this.scheduler.oldest()];
    const unclaimed = Math.min(...waiting.flatMap((time) => time ?? []));
    await opened.mover.stop();
    await shares.stop();
    await poller.stop();
    await runner.stop(graceMs);
    await recovery.stop();
    await schedules.stop();
    // If this write fails, the next start detects the stop from the last heartbeat.
    // Ticks that have not begun are caught up then.
    if (stoppedAt !== undefined)
      await recovery.writeHeartbeat(Math.min(stoppedAt, unclaimed - 1)).catch(() => {});
    await membership.leave().catch(() => {});
  }

  /** Whether the scheduler starts runs. */
  private get isTicking(): boolean {
    return this.runsJobs && this.scheduler.startedAt !== undefined;
  }

  /** Two modules may use the same ID by mistake. After the start, a job is replaced to change it. */
  private warnAboutTwin({ id }: JobDefinition, source: SourceLocation | undefined): void {
    if (!this.sources.has(id) || this.scheduler.startedAt !== undefined || this.isStopped) return;
    const places = [this.sources.get(id), source].map((each) => (each ? ` at ${showLocation(each)}` : ""));
    this.options.logger.warn(
      `Job "${id}" is registered twice:${places.join(" and")}. The second registration replaces the first. Use different IDs.`,
    );
  }

  private register(job: JobDefinition): void {
    if (this.isStopped) throw JOB_MANAGER_NOT_INITIALIZED();
    // A misspelled group would have no limit.
    if (job.group !== undefined && !Object.hasOwn(this.limits.groups, job.group))
      throw INVALID_JOB(
        `Job "${job.id}": the group "${job.group}" has no limit; set it with cron: { groups: { "${job.group}": 2 } }.`,
      );
    this.scheduler.add(job);
    if (this.scheduler.startedAt !== undefined)
      void this.opening?.then(({ schedules }) => schedules.record([job.id]));
    if (!this.isOpen || (job.catchUp === "skip" && !this.scheduler.isRemoved(job.id))) return;
    void this.open()
      .then(async (opened) => {
        await this.onRegistered([job], opened);
        await opened.catchUp.run([job]);
      })
      .catch((error) => {
        this.options.logger.error(`Failed to update stored state of job "${job.id}"`, { error });
      });
  }

  private async openParts(): Promise<ManagerParts> {
    const { scheduler, clock } = this;
    const database = await this.options.database();
    this.parts ??= createParts({
      ...this.options,
      ...{ database, clock, scheduler },
      isTicking: () => this.isTicking,
    });
    const { parts } = this;
    await parts.mover.open();
    await parts.membership.join();
    await parts.recovery.recoverOrphanedRuns();
    await parts.state.load();
    this.isOpen = true;
    await this.onRegistered(scheduler.all(), parts);
    parts.recovery.start();
    return parts;
  }

  /** Applies stored state to newly registered jobs, or to all registered jobs when the store opens. */
  private async onRegistered(registered: JobDefinition[], { state, catchUp }: ManagerParts): Promise<void> {
    await state.applyTo(registered);
    await catchUp.note(registered);
  }

  private runDue(requests: RunRequest[]): void {
    if (!this.runsJobs) return;
    void this.open()
      .then(({ shares }) => shares.run(requests))
      .catch((error) => this.options.logger.error("Failed to start due jobs", { error }));
  }
}

/** Trace ID of the current request or job run. */
function currentTrace(): string | undefined {
  return traceContext.getStore()?.traceId;
}

function checkCount(count = 10): number {
  const isValid = Number.isInteger(count) && count >= 1;
  refuseInvalid({ count: isValid ? undefined : invalid("count", "an integer of at least 1") });
  return Math.min(count, maxPerPage);
}
