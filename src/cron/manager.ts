import type { AlarmClock } from "../lib/clock.ts";
import { createId, createTraceId } from "../lib/ids.ts";
import type { Database } from "../storage/index.ts";
import { lastTick, nextTicks } from "./calendar.ts";
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
import { type DueTick, Planner } from "./planner.ts";
import type { Run } from "./run.ts";
import { createRunLog, type JobAnalytics, type RunLog, type RunPage, type RunQuery } from "./run-log.ts";
import { createRunStore, type RunStore } from "./run-store.ts";
import { type ActiveRun, type CronLogger, Runner } from "./runner.ts";
import { parseSchedule } from "./schedule.ts";
import { parseTimezone, type Timezone } from "./timezone.ts";
import type { Asked, Job, JobManager, SchedulerStatus } from "./types.ts";

export interface ManagerOptions {
  /** Gives the database, opened and migrated, that no other process works on unless it is made for several. */
  database(): Promise<Database>;
  readonly clock: AlarmClock;
  readonly logger: CronLogger;
  /** The zone until another one is chosen at run time. */
  readonly timezone: string;
}

/** What the store and the runner need the database for, there once it is open. */
interface Opened {
  readonly runs: RunStore;
  readonly log: RunLog;
  readonly jobs: JobStore;
  readonly peers: Peers;
  readonly runner: Runner;
  readonly isShared: boolean;
}

/** How often an instance shows that it is alive: alone it only leaves a mark, with others it also looks what they did. */
const aloneMs = 30_000;
const sharedMs = 3_000;

/** A tick of the very last moment may not have been looked at when the mark is left. */
const markMarginMs = 5_000;

/** Puts jobs, their schedules, their runs and the store together. */
export class Manager implements JobManager {
  private readonly options: ManagerOptions;
  private readonly instance = createId();
  private readonly registered = new Map<string, JobDefinition>();
  private readonly planner: Planner<string>;
  private switched: Record<Switch, Set<string>> = { paused: new Set(), removed: new Set() };
  private zone: Timezone;
  private opening: Promise<Opened> | undefined;
  private isOpen = false;
  private isStopped = false;
  private startedAt: number | undefined;
  private cancelTimer: (() => void) | undefined;

  constructor(options: ManagerOptions) {
    this.options = options;
    this.zone = parseTimezone(options.timezone);
    this.planner = new Planner({ clock: options.clock, onDue: (due) => this.runDue(due) });
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
    const present = [...this.registered.values()].filter(({ id }) => !this.switched.removed.has(id));
    const [system, own] = [
      present.filter(({ isSystem }) => isSystem),
      present.filter(({ isSystem }) => !isSystem),
    ];
    return [...own, ...system].map((job) => this.describe(job, rows.get(job.id)));
  }

  async find(id: string): Promise<Job> {
    const { jobs } = await this.open();
    return this.describe(this.get(id), await jobs.find(id));
  }

  async run(id: string, { actor, traceId }: Asked & { traceId?: string } = {}): Promise<Run> {
    const { runner, log } = await this.open();
    const { row } = await runner.runNow({
      job: this.get(id),
      scheduledAt: this.options.clock.now(),
      trigger: "manual",
      isTick: false,
      actor,
      traceId,
    });
    return (await log.find(row.id))!;
  }

  async remove(id: string, { actor }: Asked = {}): Promise<void> {
    const { runner } = await this.open();
    if (this.get(id).isSystem) throw JOB_IS_SYSTEM(id);
    await this.turn("removed", id, { actor });
    runner.forget(id);
  }

  async restore(id: string): Promise<void> {
    await this.open();
    if (!this.registered.has(id)) throw JOB_UNKNOWN(id);
    await this.turn("removed", id, null);
  }

  async pause(id: string, { actor }: Asked = {}): Promise<void> {
    const { runner } = await this.open();
    await this.turn("paused", this.get(id).id, { actor });
    runner.forget(id);
  }

  async resume(id: string): Promise<void> {
    await this.open();
    await this.turn("paused", this.get(id).id, null);
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
    const { startedAt, registered, switched, zone, options } = this;
    const removed = [...switched.removed].filter((id) => registered.has(id)).length;
    return {
      isRunning: startedAt !== undefined && !this.isStopped,
      jobsCount: registered.size - removed,
      timezone: zone.name,
      uptimeSeconds:
        startedAt === undefined ? 0 : Math.max(0, Math.floor((options.clock.now() - startedAt) / 1_000)),
    };
  }

  async setTimezone(name: string): Promise<string> {
    const zone = parseTimezone(name);
    const { jobs } = await this.open();
    await jobs.changeSetting("timezone", zone.name);
    this.useZone(zone);
    return zone.name;
  }

  nextRuns(id: string, count: number): Date[] {
    const { schedule, timezone = this.zone } = this.get(id);
    return this.previewIn(schedule.expression, timezone, count);
  }

  preview(
    schedule: string,
    { timezone, count = 10 }: { timezone?: string | undefined; count?: number } = {},
  ): Date[] {
    return this.previewIn(schedule, timezone === undefined ? this.zone : parseTimezone(timezone), count);
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

  /** Reads what is kept, ends what a process that died has left running, and plans. Safe to call again. */
  open(): Promise<Opened> {
    if (this.isStopped) return Promise.reject(JOB_MANAGER_NOT_INITIALIZED());
    this.opening ??= this.openStore();
    return this.opening;
  }

  /** Begins to look after the ticks, and catches up on what was missed. */
  async start(): Promise<void> {
    const { jobs, runner } = await this.open();
    const aliveUntil = Number((await jobs.setting("alive_until")) ?? Number.NaN);
    this.startedAt = this.options.clock.now();
    this.planner.start();
    const missed = await this.findMissed(aliveUntil, this.startedAt);
    if (missed.length > 0) await runner.runTicks(missed);
    await this.leaveMark();
  }

  /** No further tick is looked after; runs in progress get the signal and that much time. */
  async stop(graceMs: number): Promise<void> {
    if (this.isStopped) return;
    this.isStopped = true;
    this.planner.stop();
    this.cancelTimer?.();
    const opened = await this.opening?.catch(() => undefined);
    if (!opened) return;
    await opened.runner.stop(graceMs);
    const mark = this.startedAt === undefined ? undefined : this.options.clock.now();
    if (mark !== undefined) await opened.jobs.changeSetting("alive_until", `${mark}`).catch(() => {});
    await opened.peers.leave().catch(() => {});
  }

  private register(job: JobDefinition): void {
    if (this.isStopped) throw JOB_MANAGER_NOT_INITIALIZED();
    this.registered.set(job.id, job);
    if (!this.isOpen) return;
    this.plan(job);
    if (!job.restore && job.catchUp === "skip") return;
    void this.keepUp([job]).catch((error) => {
      this.options.logger.error(`What is kept of job "${job.id}" could not be changed`, { error });
    });
  }

  private async openStore(): Promise<Opened> {
    const { clock, logger } = this.options;
    const database = await this.options.database();
    const isShared = database.engine === "postgres";
    const runs = createRunStore(database);
    const runner = new Runner({
      clock,
      store: runs,
      logger,
      instance: this.instance,
      createRunId: createId,
      createTraceId,
    });
    const opened: Opened = {
      runs,
      log: createRunLog(database),
      jobs: createJobStore(database),
      peers: isShared ? createPeers(database, this.instance) : createNoPeers(this.instance),
      runner,
      isShared,
    };
    await this.interruptLost(opened);
    await this.readState(opened.jobs);
    this.isOpen = true;
    for (const job of this.registered.values()) this.plan(job);
    await this.keepUp([...this.registered.values()], opened);
    this.tend(opened);
    return opened;
  }

  private async interruptLost({ runs, peers }: Opened): Promise<void> {
    const alive = await peers.beat();
    const count = await runs.interruptOthers(alive, this.options.clock.now());
    if (count > 0)
      this.options.logger.warn("Runs of a process that ended were marked as interrupted", { count });
  }

  /** What was decided at run time, here or by another instance. */
  private async readState(jobs: JobStore): Promise<void> {
    const rows = await jobs.all();
    const idsOf = (column: "paused_at" | "removed_at") =>
      new Set(rows.filter((row) => row[column] !== null).map(({ job_id }) => job_id));
    this.switched = { paused: idsOf("paused_at"), removed: idsOf("removed_at") };
    const name = await jobs.setting("timezone");
    if (name === undefined || name === this.zone.name) return;
    try {
      this.useZone(parseTimezone(name));
    } catch (error) {
      this.options.logger.error("The stored timezone is not known to this Node; the old one stays", {
        error,
      });
    }
  }

  /** Brings back what is registered to be brought back, and notes since when a job is known that catches up. */
  private async keepUp(registered: JobDefinition[], opened?: Opened): Promise<void> {
    const { jobs } = opened ?? (await this.open());
    for (const { id, restore } of registered) {
      if (restore && this.switched.removed.has(id)) await this.turn("removed", id, null, jobs);
    }
    const catching = registered.filter(({ catchUp }) => catchUp === "once").map(({ id }) => id);
    if (catching.length > 0) await jobs.noteKnown(catching, this.options.clock.now());
  }

  private async turn(name: Switch, id: string, by: Asked | null, store?: JobStore): Promise<void> {
    const jobs = store ?? (await this.open()).jobs;
    await jobs.turn(name, id, by && { at: this.options.clock.now(), actor: by.actor ?? null });
    if (by) this.switched[name].add(id);
    else this.switched[name].delete(id);
    const job = this.registered.get(id);
    if (job) this.plan(job);
  }

  /** Puts the job into the plan, or takes it out. */
  private plan(job: JobDefinition): void {
    if (this.switched.paused.has(job.id) || this.switched.removed.has(job.id)) this.planner.delete(job.id);
    else this.planner.set(job.id, job.schedule, job.timezone ?? this.zone);
  }

  private useZone(zone: Timezone): void {
    this.zone = zone;
    this.planner.replan((id) => this.registered.get(id)?.timezone ?? zone);
  }

  private runDue(due: DueTick<string>[]): void {
    const requests = due.flatMap(({ key, tick }) => {
      const job = this.registered.get(key);
      return job ? [{ job, scheduledAt: tick, trigger: "schedule" as const, isTick: true }] : [];
    });
    void this.open()
      .then(({ runner }) => runner.runTicks(requests))
      .catch((error) => this.options.logger.error("Jobs that were due could not be run", { error }));
  }

  /** The last tick that each job which catches up has missed since then. */
  private async findMissed(aliveUntil: number, now: number) {
    if (Number.isNaN(aliveUntil)) return [];
    const { jobs } = await this.open();
    const knownSince = new Map((await jobs.all()).map((row) => [row.job_id, row.known_since]));
    return [...this.registered.values()].flatMap((job) => {
      const since = knownSince.get(job.id);
      const isAsked = job.catchUp === "once" && this.planner.nextOf(job.id) !== undefined;
      if (!isAsked || since === undefined || since === null) return [];
      const from = Math.max(since, aliveUntil);
      const tick = from < now ? lastTick(job.schedule, job.timezone ?? this.zone, from, now) : undefined;
      return tick === undefined
        ? []
        : [{ job, scheduledAt: tick, trigger: "catch-up" as const, isTick: true }];
    });
  }

  /** What an instance does all the time. */
  private tend(opened: Opened): void {
    if (this.isStopped) return;
    const { clock, logger } = this.options;
    this.cancelTimer = clock.after(opened.isShared ? sharedMs : aloneMs, async () => {
      try {
        if (opened.isShared) await this.followOthers(opened);
        if (this.startedAt !== undefined && !this.isStopped) await this.leaveMark();
      } catch (error) {
        logger.warn("The state of the jobs could not be shared through the store", { error });
      }
      this.tend(opened);
    });
  }

  /** Ends the runs of instances that died, and takes over what was decided elsewhere. */
  private async followOthers(opened: Opened): Promise<void> {
    await this.interruptLost(opened);
    const before = this.switched;
    await this.readState(opened.jobs);
    const changed = (["paused", "removed"] as const).flatMap((name) => [
      ...before[name].symmetricDifference(this.switched[name]),
    ]);
    for (const id of new Set(changed)) {
      const job = this.registered.get(id);
      if (job) this.plan(job);
    }
    for (const { id, actor } of await opened.runs.cancelRequests(this.instance)) {
      opened.runner.find(id)?.execution.cancel(actor || undefined);
    }
  }

  private async leaveMark(): Promise<void> {
    const { jobs } = await this.open();
    await jobs.changeSetting("alive_until", `${this.options.clock.now() - markMarginMs}`);
  }

  /** A job that is registered and not removed. */
  private get(id: string): JobDefinition {
    const job = this.registered.get(id);
    if (!job || this.switched.removed.has(id)) throw JOB_UNKNOWN(id);
    return job;
  }

  private describe(job: JobDefinition, row: JobRow | undefined): Job {
    const nextRun = this.planner.nextOf(job.id);
    return {
      id: job.id,
      name: job.name,
      description: job.description,
      schedule: job.schedule.expression,
      isSystem: job.isSystem,
      isPaused: this.switched.paused.has(job.id),
      timezone: (job.timezone ?? this.zone).name,
      overlap: job.overlap,
      catchUp: job.catchUp,
      retries: job.retries.count,
      ...(job.timeoutMs !== undefined && { timeoutMs: job.timeoutMs }),
      ...(nextRun !== undefined && { nextRun: new Date(nextRun) }),
      ...(row?.last_run != null &&
        row.last_status !== null && { lastRun: new Date(row.last_run), lastStatus: row.last_status }),
    };
  }

  private previewIn(schedule: string, zone: Timezone, count: number): Date[] {
    const ticks = nextTicks(parseSchedule(schedule), zone, this.options.clock.now(), count);
    return ticks.map((tick) => new Date(tick));
  }
}
