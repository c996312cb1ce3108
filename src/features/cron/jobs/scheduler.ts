import { JOB_UNKNOWN } from "../errors.ts";
import { lastTick, nextTicks } from "../planning/calendar.ts";
import { Planner, type PlannerClock } from "../planning/planner.ts";
import { parseSchedule, type Schedule } from "../planning/schedule.ts";
import { parseTimezone, type Timezone } from "../planning/timezone.ts";
import type { RunRequest } from "../runs/run-request.ts";
import type { JobDefinition } from "./job.ts";
import type { Switch } from "./job-store.ts";

export type Switches = Record<Switch, ReadonlySet<string>>;

export interface SchedulerOptions {
  readonly clock: PlannerClock;
  readonly timezone: string;
  /** Called with all runs that have become due, as one batch. */
  onDue(requests: RunRequest[]): void;
}

/** Registered jobs, their state and their due times. Independent of the database. */
export class Scheduler {
  /** Start time of the scheduler; `undefined` while it is stopped. */
  startedAt: number | undefined;
  /** When it started on the monotonic clock, for durations. */
  private startedElapsed = 0;
  private readonly clock: PlannerClock;
  private readonly planner: Planner<string>;
  private readonly registered = new Map<string, JobDefinition>();
  private switches = { paused: new Set<string>(), removed: new Set<string>() };
  private zone: Timezone;

  constructor({ clock, timezone, onDue }: SchedulerOptions) {
    this.clock = clock;
    this.zone = parseTimezone(timezone);
    this.planner = new Planner({
      clock,
      onDue: (due) => onDue(due.flatMap(({ key, tick }) => this.requestTick(key, tick, "schedule"))),
    });
  }

  get timezone(): Timezone {
    return this.zone;
  }

  /** Changes the time zone of all jobs without their own. */
  set timezone(zone: Timezone) {
    if (zone === this.zone) return;
    this.zone = zone;
    this.planner.replan((id) => this.zoneOf(this.registered.get(id)));
  }

  add(job: JobDefinition): void {
    this.registered.set(job.id, job);
    this.plan(job);
  }

  /** Forgets a job. Whether it is paused or removed stays known. */
  delete(id: string): void {
    this.registered.delete(id);
    this.planner.delete(id);
  }

  /** Returns a job that is registered and not removed. */
  get(id: string): JobDefinition {
    const job = this.registered.get(id);
    if (!job || this.switches.removed.has(id)) throw JOB_UNKNOWN(id);
    return job;
  }

  /** Returns the current definition of a job if its schedule is active. */
  wanted(id: string): JobDefinition | undefined {
    return this.isPaused(id) || this.isRemoved(id) ? undefined : this.registered.get(id);
  }

  /** Returns a registered job, including removed ones. */
  find(id: string): JobDefinition | undefined {
    return this.registered.get(id);
  }

  /** A job that is registered and not removed, and whether its schedule is active. */
  findRunnable(id: string): { readonly job: JobDefinition; readonly isActive: boolean } | undefined {
    const job = this.registered.get(id);
    return job && !this.isRemoved(id) ? { job, isActive: !this.isPaused(id) } : undefined;
  }

  /** Whether a job with this ID is registered, including removed jobs. */
  has(id: string): boolean {
    return this.registered.has(id);
  }

  /** All registered jobs, including removed ones. */
  all(): JobDefinition[] {
    return [...this.registered.values()];
  }

  /** All jobs that are registered and not removed. */
  jobs(): JobDefinition[] {
    return this.all().filter(({ id }) => !this.isRemoved(id));
  }

  isPaused(id: string): boolean {
    return this.switches.paused.has(id);
  }

  isRemoved(id: string): boolean {
    return this.switches.removed.has(id);
  }

  /** Sets which jobs are paused and removed. */
  switch(switches: Switches): void {
    const before = this.switches;
    this.switches = { paused: new Set(switches.paused), removed: new Set(switches.removed) };
    for (const name of ["paused", "removed"] as const)
      for (const id of before[name].symmetricDifference(switches[name])) this.replan(id);
  }

  /** Changes the state of one job. The cost does not depend on the number of others. */
  turn(name: Switch, id: string, isOn: boolean): void {
    if (isOn) this.switches[name].add(id);
    else this.switches[name].delete(id);
    this.replan(id);
  }

  zoneOf(job: JobDefinition | undefined): Timezone {
    return job?.timezone ?? this.zone;
  }

  /** Text that identifies a job's plan; it changes whenever the ticks change. */
  planOf(job: JobDefinition): string {
    return `${job.schedule.expression} ${this.zoneOf(job).name}`;
  }

  /** Takes back a tick that is not due yet after all. */
  putBack({ job, scheduledAt }: RunRequest): void {
    this.planner.putBack(job.id, scheduledAt);
  }

  /** When the first tick is due that has not been passed to `onDue`. */
  oldest(): number | undefined {
    return this.planner.oldest();
  }

  /** Next due time; `undefined` if the schedule is not active. */
  nextOf(id: string): number | undefined {
    return this.planner.nextOf(id);
  }

  /** Upcoming ticks of a schedule, by default in the scheduler's time zone. */
  preview(schedule: Schedule | string, count: number, zone: Timezone = this.zone): Date[] {
    const parsed = typeof schedule === "string" ? parseSchedule(schedule) : schedule;
    return nextTicks(parsed, zone, this.clock.now(), count).map((tick) => new Date(tick));
  }

  /** The last tick that a job missed in a period, if the job has catch-up enabled. */
  missedBetween(job: JobDefinition, since: number, until: number): RunRequest[] {
    if (job.catchUp !== "once" || since >= until || !this.wanted(job.id)) return [];
    const tick = lastTick(job.schedule, this.zoneOf(job), since, until);
    return tick === undefined ? [] : this.requestTick(job.id, tick, "catch-up");
  }

  start(): void {
    this.startedAt = this.clock.now();
    this.startedElapsed = this.clock.elapsed();
    this.planner.start();
  }

  /** How long the scheduler has been running, regardless of changes to the system clock. */
  get uptimeMs(): number {
    return this.startedAt === undefined ? 0 : this.clock.elapsed() - this.startedElapsed;
  }

  stop(): void {
    this.startedAt = undefined;
    this.planner.stop();
  }

  private replan(id: string): void {
    const job = this.registered.get(id);
    if (job) this.plan(job);
  }

  /** Adds the job to the planner or removes it. */
  private plan(job: JobDefinition): void {
    if (this.isPaused(job.id) || this.isRemoved(job.id)) this.planner.delete(job.id);
    else this.planner.set(job.id, job.schedule, this.zoneOf(job));
  }

  private requestTick(id: string, tick: number, trigger: RunRequest["trigger"]): RunRequest[] {
    const job = this.registered.get(id);
    return job ? [{ job, scheduledAt: tick, trigger, isTick: true }] : [];
  }
}
