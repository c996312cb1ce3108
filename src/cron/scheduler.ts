import type { AlarmClock } from "../lib/clock.ts";
import { JOB_UNKNOWN } from "./errors.ts";
import type { JobDefinition } from "./job.ts";
import type { Switch } from "./job-store.ts";
import { Planner } from "./planner.ts";
import type { RunRequest } from "./runs/runner.ts";
import { lastTick, nextTicks } from "./schedule/calendar.ts";
import { parseSchedule, type Schedule } from "./schedule/schedule.ts";
import { parseTimezone, type Timezone } from "./schedule/timezone.ts";

export type Switches = Record<Switch, ReadonlySet<string>>;

export interface SchedulerOptions {
  readonly clock: AlarmClock;
  readonly timezone: string;
  /** Is given everything that has become due, together. */
  onDue(requests: RunRequest[]): void;
}

/** Which jobs there are, which of them count, and when they are due. It knows nothing of a database. */
export class Scheduler {
  /** When it began to look after the schedules; `undefined` before and after. */
  startedAt: number | undefined;
  private readonly clock: AlarmClock;
  private readonly planner: Planner<string>;
  private readonly registered = new Map<string, JobDefinition>();
  private switches: Switches = { paused: new Set(), removed: new Set() };
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

  /** Puts every job without a zone of its own into this one. */
  set timezone(zone: Timezone) {
    if (zone === this.zone) return;
    this.zone = zone;
    this.planner.replan((id) => this.zoneOf(this.registered.get(id)));
  }

  add(job: JobDefinition): void {
    this.registered.set(job.id, job);
    this.plan(job);
  }

  /** A job that is registered and not removed. */
  get(id: string): JobDefinition {
    const job = this.registered.get(id);
    if (!job || this.switches.removed.has(id)) throw JOB_UNKNOWN(id);
    return job;
  }

  /** Whether a job of this id is registered, removed or not. */
  has(id: string): boolean {
    return this.registered.has(id);
  }

  /** Every job that is registered. */
  all(): JobDefinition[] {
    return [...this.registered.values()];
  }

  /** Every job that is registered and not removed. */
  jobs(): JobDefinition[] {
    return this.all().filter(({ id }) => !this.isRemoved(id));
  }

  isPaused(id: string): boolean {
    return this.switches.paused.has(id);
  }

  isRemoved(id: string): boolean {
    return this.switches.removed.has(id);
  }

  /** Which jobs are paused and which removed. */
  switch(switches: Switches): void {
    const before = this.switches;
    this.switches = switches;
    for (const name of ["paused", "removed"] as const) {
      for (const id of before[name].symmetricDifference(switches[name])) {
        const job = this.registered.get(id);
        if (job) this.plan(job);
      }
    }
  }

  /** The same with one of them changed. */
  turn(name: Switch, id: string, isOn: boolean): void {
    const ids = new Set(this.switches[name]);
    if (isOn) ids.add(id);
    else ids.delete(id);
    this.switch({ ...this.switches, [name]: ids });
  }

  zoneOf(job: JobDefinition | undefined): Timezone {
    return job?.timezone ?? this.zone;
  }

  nextOf(id: string): number | undefined {
    return this.planner.nextOf(id);
  }

  /** The next moments of a schedule, in a zone or in the scheduler's. */
  preview(schedule: Schedule | string, count: number, zone: Timezone = this.zone): Date[] {
    const parsed = typeof schedule === "string" ? parseSchedule(schedule) : schedule;
    return nextTicks(parsed, zone, this.clock.now(), count).map((tick) => new Date(tick));
  }

  /** For each job that catches up, the last tick it missed between a time and now. */
  missedSince(sinceOf: (id: string) => number | undefined): RunRequest[] {
    const now = this.clock.now();
    const catching = this.jobs().filter(({ id, catchUp }) => catchUp === "once" && !this.isPaused(id));
    return catching.flatMap((job) => {
      const since = sinceOf(job.id);
      const isMissing = since !== undefined && since < now;
      const tick = isMissing ? lastTick(job.schedule, this.zoneOf(job), since, now) : undefined;
      return tick === undefined ? [] : this.requestTick(job.id, tick, "catch-up");
    });
  }

  start(): void {
    this.startedAt = this.clock.now();
    this.planner.start();
  }

  stop(): void {
    this.startedAt = undefined;
    this.planner.stop();
  }

  /** Puts the job into the plan, or takes it out. */
  private plan(job: JobDefinition): void {
    if (this.isPaused(job.id) || this.isRemoved(job.id)) this.planner.delete(job.id);
    else this.planner.set(job.id, job.schedule, this.zoneOf(job));
  }

  private requestTick(id: string, tick: number, trigger: RunRequest["trigger"]): RunRequest[] {
    const job = this.registered.get(id);
    return job ? [{ job, scheduledAt: tick, trigger, isTick: true }] : [];
  }
}
