import type { AlarmClock } from "../lib/clock.ts";
import { createId, createTraceId } from "../lib/ids.ts";
import type { Database } from "../storage/index.ts";
import {
  JOB_IS_SYSTEM,
  JOB_MANAGER_NOT_INITIALIZED,
  JOB_UNKNOWN,
  RUN_NOT_RUNNING,
  RUN_UNKNOWN,
} from "./errors.ts";
import { type JobDefinition, type JobFunction, type JobOptions, type JobParts, parseJob } from "./job.ts";
import { createJobStore, type JobRow, type JobStore, type Switch } from "./job-store.ts";
import { createNoPeers, createPeers, type Peers } from "./peers.ts";
import type { Run } from "./runs/run.ts";
import { createRunLog, type JobAnalytics, type RunLog, type RunPage, type RunQuery } from "./runs/run-log.ts";
import { createRunStore, type RunStore } from "./runs/run-store.ts";
import { type ActiveRun, type CronLogger, Runner, type RunRequest } from "./runs/runner.ts";
import { parseTimezone } from "./schedule/timezone.ts";
import { Scheduler } from "./scheduler.ts";
import type { Asked, Job, JobManager, SchedulerStatus } from "./types.ts";

export interface ManagerOptions {
  /** Gives the database, opened and migrated, that no other process works on unless it is made for several. */
  database(): Promise<Database>;
  readonly clock: AlarmClock;
  readonly logger: CronLogger;
  /** The zone until another one is chosen at run time. */
  readonly timezone: string;
}

/** What works on the database, there once it is open. */
interface Opened {
  readonly runs: RunStore;
  readonly log: RunLog;
  readonly jobs: JobStore;
  readonly peers: Peers;
  readonly runner: Runner;
  /** Whether other instances may work on it too. */
  readonly isShared: boolean;
}

/** How often an instance shows that it is alive: alone it only leaves a mark, with others it also looks what they did. */
const aloneMs = 30_000;
const sharedMs = 3_000;

/** A tick of the very last moment may not have been looked at when the mark is left. */
const markMarginMs = 5_000;

/** Puts the schedules, the runs and what is kept of both together. */
export class Manager implements JobManager {
  private readonly options: ManagerOptions;
  private readonly instance = createId();
  private readonly scheduler: Scheduler;
  private opening: Promise<Opened> | undefined;
  private isOpen = false;
  private isStopped = false;
  private cancelTimer: (() => void) | undefined;

  constructor(options: ManagerOptions) {
    const { clock, timezone } = options;
    this.options = options;
    this.scheduler = new Scheduler({ clock, timezone, onDue: (requests) => this.runDue(requests) });
  }

  registerJob(
    id: string,
    name: string,
    description: string,
    schedule: string,
    run: JobFunction,
    options?: JobOptions,
  ): void {
    this.register(parseJob({ id, name, description, schedule, run, options }));
  }

  /** A job of Annex itself: it can be paused, and it cannot be removed. */
  registerSystemJob(parts: JobParts): void {
    this.register(parseJob(parts, true));
  }

  async list(): Promise<Job[]> {
    const { jobs } = await this.open();
    const rows = new Map((await jobs.all()).map((row) => [row.job_id, row]));
    const ownFirst = this.scheduler
      .jobs()
      .sort((one, other) => Number(one.isSystem) - Number(other.isSystem));
    return ownFirst.map((job) => this.describe(job, rows.get(job.id)));
  }

  async find(id: string): Promise<Job> {
    const { jobs } = await this.open();
    return this.describe(this.scheduler.get(id), await jobs.find(id));
  }

  async run(id: string, { actor, traceId }: Asked & { traceId?: string } = {}): Promise<Run> {
    const { runner, log } = await this.open();
    const { row } = await runner.runNow({
      job: this.scheduler.get(id),
      scheduledAt: this.options.clock.now(),
      trigger: "manual",
      isTick: false,
      actor,
      traceId,
    });
    return (await log.find(row.id))!;
  }

  async remove(id: string, asked: Asked = {}): Promise<void> {
    const { runner } = await this.open();
    if (this.scheduler.get(id).isSystem) throw JOB_IS_SYSTEM(id);
    await this.turn("removed", id, asked);
    runner.forget(id);
  }

  async restore(id: string): Promise<void> {
    await this.open();
    if (!this.scheduler.has(id)) throw JOB_UNKNOWN(id);
    await this.turn("removed", id, null);
  }

  async pause(id: string, asked: Asked = {}): Promise<void> {
    const { runner } = await this.open();
    await this.turn("paused", this.scheduler.get(id).id, asked);
    runner.forget(id);
  }

  async resume(id: string): Promise<void> {
    await this.open();
    await this.turn("paused", this.scheduler.get(id).id, null);
  }

  async cancel(runId: string, { actor }: Asked = {}): Promise<Run> {
    const { runner, runs } = await this.open();
    const run = await this.findRun(runId);
    const active = runner.find(runId);
    if (active) active.execution.cancel(actor);
    else if (!(await runs.requestCancel(runId, actor ?? ""))) throw RUN_NOT_RUNNING(runId);
    return run;
  }

  async status(): Promise<SchedulerStatus> {
    await this.open();
    const { startedAt, timezone } = this.scheduler;
    const now = this.options.clock.now();
    return {
      isRunning: startedAt !== undefined,
      jobsCount: this.scheduler.jobs().length,
      timezone: timezone.name,
      uptimeSeconds: Math.max(0, Math.floor((now - (startedAt ?? now)) / 1_000)),
    };
  }

  async setTimezone(name: string): Promise<string> {
    const zone = parseTimezone(name);
    const { jobs } = await this.open();
    await jobs.changeSetting("timezone", zone.name);
    this.scheduler.timezone = zone;
    return zone.name;
  }

  nextRuns(id: string, count: number): Date[] {
    const job = this.scheduler.get(id);
    return this.scheduler.preview(job.schedule, count, this.scheduler.zoneOf(job));
  }

  preview(schedule: string, options: { timezone?: string | undefined; count?: number } = {}): Date[] {
    const { timezone, count = 10 } = options;
    return this.scheduler.preview(
      schedule,
      count,
      timezone === undefined ? undefined : parseTimezone(timezone),
    );
  }

  async logs(query: RunQuery): Promise<RunPage> {
    return (await this.open()).log.page(query);
  }

  async findRun(runId: string): Promise<Run> {
    // Also while the runs are being ended, for those who watch.
    const { log } = await (this.opening ?? this.open());
    const run = await log.find(runId);
    if (!run) throw RUN_UNKNOWN(runId);
    return run;
  }

  async analytics(): Promise<JobAnalytics[]> {
    return (await this.open()).log.analytics();
  }

  /** A run in progress in this very process, to be followed. */
  async activeRun(runId: string): Promise<ActiveRun | undefined> {
    return (await this.open()).runner.find(runId);
  }

  /** Deletes up to that many finished runs that are older; tells how many it was. */
  async purgeRuns(olderThanMs: number, limit: number): Promise<number> {
    const { runs } = await this.open();
    return runs.purge(this.options.clock.now() - olderThanMs, limit);
  }

  /** Reads what is kept and ends what a process that died has left running. Safe to call again. */
  open(): Promise<Opened> {
    if (this.isStopped) return Promise.reject(JOB_MANAGER_NOT_INITIALIZED());
    this.opening ??= this.openStore();
    return this.opening;
  }

  /** Begins to look after the schedules, and catches up on what was missed. */
  async start(): Promise<void> {
    const opened = await this.open();
    const missed = await this.findMissed(opened.jobs);
    this.scheduler.start();
    if (missed.length > 0) await opened.runner.runTicks(missed);
    await this.leaveMark(opened, markMarginMs);
  }

  /** No further tick is looked after; runs in progress get the signal and that much time. */
  async stop(graceMs: number): Promise<void> {
    if (this.isStopped) return;
    this.isStopped = true;
    this.cancelTimer?.();
    const hadStarted = this.scheduler.startedAt !== undefined;
    this.scheduler.stop();
    const opened = await this.opening?.catch(() => undefined);
    if (!opened) return;
    await opened.runner.stop(graceMs);
    // What cannot be written now is found out at the next start.
    if (hadStarted) await this.leaveMark(opened, 0).catch(() => {});
    await opened.peers.leave().catch(() => {});
  }

  private register(job: JobDefinition): void {
    if (this.isStopped) throw JOB_MANAGER_NOT_INITIALIZED();
    this.scheduler.add(job);
    if (!this.isOpen || (!job.restore && job.catchUp === "skip")) return;
    void this.open()
      .then(({ jobs }) => this.keepUp([job], jobs))
      .catch((error) => {
        this.options.logger.error(`What is kept of job "${job.id}" could not be changed`, { error });
      });
  }

  private async openStore(): Promise<Opened> {
    const { clock, logger } = this.options;
    const { instance } = this;
    const database = await this.options.database();
    const isShared = database.engine === "postgres";
    const runs = createRunStore(database);
    const opened: Opened = {
      runs,
      log: createRunLog(database),
      jobs: createJobStore(database),
      peers: isShared ? createPeers(database, instance) : createNoPeers(instance),
      runner: new Runner({ clock, store: runs, logger, instance, createRunId: createId, createTraceId }),
      isShared,
    };
    await this.interruptLost(opened);
    await this.readDecisions(opened.jobs);
    this.isOpen = true;
    await this.keepUp(this.scheduler.all(), opened.jobs);
    this.tend(opened);
    return opened;
  }

  /** Ends the runs of instances that are no more. */
  private async interruptLost({ runs, peers }: Opened): Promise<void> {
    const alive = await peers.beat();
    const count = await runs.interruptOthers(alive, this.options.clock.now());
    if (count > 0)
      this.options.logger.warn("Runs of a process that ended were marked as interrupted", { count });
  }

  /** What was decided at run time, here or by another instance. */
  private async readDecisions(jobs: JobStore): Promise<void> {
    const rows = await jobs.all();
    const idsOf = (column: "paused_at" | "removed_at") =>
      new Set(rows.filter((row) => row[column] !== null).map(({ job_id }) => job_id));
    this.scheduler.switch({ paused: idsOf("paused_at"), removed: idsOf("removed_at") });
    const timezone = await jobs.setting("timezone");
    try {
      if (timezone !== undefined) this.scheduler.timezone = parseTimezone(timezone);
    } catch (error) {
      this.options.logger.error("The stored timezone is not known to this Node; the old one stays", {
        error,
      });
    }
  }

  /** Brings back what is registered to be brought back, and notes since when a job is known that catches up. */
  private async keepUp(registered: JobDefinition[], jobs: JobStore): Promise<void> {
    for (const { id, restore } of registered) {
      if (restore && this.scheduler.isRemoved(id)) await this.turn("removed", id, null, jobs);
    }
    const catching = registered.filter(({ catchUp }) => catchUp === "once").map(({ id }) => id);
    if (catching.length > 0) await jobs.noteKnown(catching, this.options.clock.now());
  }

  /** Turns a switch on in somebody's name, or off. */
  private async turn(name: Switch, id: string, by: Asked | null, store?: JobStore): Promise<void> {
    const jobs = store ?? (await this.open()).jobs;
    await jobs.turn(name, id, by && { at: this.options.clock.now(), actor: by.actor ?? null });
    this.scheduler.turn(name, id, by !== null);
  }

  private runDue(requests: RunRequest[]): void {
    void this.open()
      .then(({ runner }) => runner.runTicks(requests))
      .catch((error) => this.options.logger.error("Jobs that were due could not be run", { error }));
  }

  private async findMissed(jobs: JobStore): Promise<RunRequest[]> {
    const aliveUntil = await jobs.setting("alive_until");
    if (aliveUntil === undefined) return [];
    const knownSince = new Map((await jobs.all()).map((row) => [row.job_id, row.known_since]));
    return this.scheduler.missedSince((id) => {
      const since = knownSince.get(id);
      return since == null ? undefined : Math.max(since, Number(aliveUntil));
    });
  }

  /** What an instance does all the time. */
  private tend(opened: Opened): void {
    if (this.isStopped) return;
    const { clock, logger } = this.options;
    this.cancelTimer = clock.after(opened.isShared ? sharedMs : aloneMs, async () => {
      try {
        if (opened.isShared) await this.followOthers(opened);
        if (this.scheduler.startedAt !== undefined) await this.leaveMark(opened, markMarginMs);
      } catch (error) {
        logger.warn("The state of the jobs could not be shared through the store", { error });
      }
      this.tend(opened);
    });
  }

  private async followOthers(opened: Opened): Promise<void> {
    await this.interruptLost(opened);
    await this.readDecisions(opened.jobs);
    for (const { id, actor } of await opened.runs.cancelRequests(this.instance)) {
      opened.runner.find(id)?.execution.cancel(actor || undefined);
    }
  }

  /** Every tick up to now, less a margin, has been looked after. */
  private async leaveMark({ jobs }: Opened, marginMs: number): Promise<void> {
    await jobs.changeSetting("alive_until", `${this.options.clock.now() - marginMs}`);
  }

  private describe(job: JobDefinition, row: JobRow | undefined): Job {
    const nextRun = this.scheduler.nextOf(job.id);
    return {
      id: job.id,
      name: job.name,
      description: job.description,
      schedule: job.schedule.expression,
      isSystem: job.isSystem,
      isPaused: this.scheduler.isPaused(job.id),
      timezone: this.scheduler.zoneOf(job).name,
      overlap: job.overlap,
      catchUp: job.catchUp,
      retries: job.retries.count,
      ...(job.timeoutMs !== undefined && { timeoutMs: job.timeoutMs }),
      ...(nextRun !== undefined && { nextRun: new Date(nextRun) }),
      ...(row?.last_run != null && { lastRun: new Date(row.last_run), lastStatus: row.last_status! }),
    };
  }
}
