import type { AlarmClock } from "../../../lib/time/clock.ts";
import { lastTick, nextTick } from "./calendar.ts";
import { type Due, Heap } from "./heap.ts";
import type { Schedule } from "./schedule.ts";
import type { Timezone } from "./timezone.ts";

/** A schedule as stored by the planner. */
interface Plan<K> extends Due {
  readonly key: K;
  readonly schedule: Schedule;
  zone: Timezone;
}

export interface DueTick<K> {
  readonly key: K;
  /** Scheduled time. The run may start slightly later. */
  readonly tick: number;
}

/** A clock that may follow the one that it reads only after a while. */
export interface PlannerClock extends AlarmClock {
  /** How long that takes. Default 0. */
  readonly followMs?: number;
}

export interface PlannerOptions<K> {
  readonly clock: PlannerClock;
  /** Called with all ticks that have become due, as one batch. */
  onDue(ticks: DueTick<K>[]): void;
}

/** Timers do not detect clock changes or system sleep, so the clock is checked at least this often. */
const longestSleepMs = 15_000;

/** Smaller backward corrections are normal clock drift. */
const backwardMs = 1_000;

/** Pause before ticks that turned out not to be due are taken again. */
const putBackMs = 100;

/** A tick is on time within its minute. */
const lateMs = 60_000;

/**
 * Determines when jobs are due, with one heap and one timer for all jobs. If the clock jumps forward or the machine
 * slept, each job gets only its last missed tick. If the clock is set back, all jobs are planned again from the new
 * time, so the caller must ignore ticks that have already run.
 */
export class Planner<K> {
  private readonly clock: PlannerClock;
  private readonly onDue: PlannerOptions<K>["onDue"];
  private readonly heap = new Heap<Plan<K>>();
  private readonly plans = new Map<K, Plan<K>>();
  private cancelTimer: (() => void) | undefined;
  private timerAt = Number.POSITIVE_INFINITY;
  private lastSeen = { now: Number.NEGATIVE_INFINITY, elapsed: 0 };
  private startedElapsed = 0;
  private isRunning = false;

  constructor({ clock, onDue }: PlannerOptions<K>) {
    this.clock = clock;
    this.onDue = onDue;
  }

  /** Plans the next tick after now and replaces an existing plan for the key. */
  set(key: K, schedule: Schedule, zone: Timezone): void {
    this.delete(key);
    const at = nextTick(schedule, zone, this.clock.now()) ?? Number.POSITIVE_INFINITY;
    const plan: Plan<K> = { key, schedule, zone, at, place: -1 };
    this.plans.set(key, plan);
    this.heap.add(plan);
    this.arm();
  }

  delete(key: K): void {
    const plan = this.plans.get(key);
    if (!plan) return;
    this.plans.delete(key);
    this.heap.delete(plan);
  }

  /** Takes back a tick that is not due yet after all: this clock is ahead of that of the database. */
  putBack(key: K, tick: number): void {
    const plan = this.plans.get(key);
    if (!plan || plan.at <= tick) return;
    plan.at = tick;
    this.heap.update(plan);
    if (this.isRunning) this.wakeAt(Math.max(this.heap.top!.at, this.clock.now() + putBackMs));
  }

  /** When the first tick is due that has not been taken. */
  oldest(): number | undefined {
    return this.heap.top?.at;
  }

  /** Next due time; `undefined` if the key is not planned. */
  nextOf(key: K): number | undefined {
    const at = this.plans.get(key)?.at;
    return at === Number.POSITIVE_INFINITY ? undefined : at;
  }

  /** Plans all jobs again from now, in the time zones returned by `zoneOf`. */
  replan(zoneOf: (key: K) => Timezone): void {
    // Ticks that are due now belong to the old time zone.
    if (this.isRunning) this.wake();
    for (const plan of this.heap.values()) plan.zone = zoneOf(plan.key);
    this.planFrom(this.clock.now());
    this.arm();
  }

  start(): void {
    this.isRunning = true;
    const { clock } = this;
    this.startedElapsed = clock.elapsed();
    this.lastSeen = { now: clock.now(), elapsed: clock.elapsed() };
    this.planFrom(this.lastSeen.now);
    this.arm();
  }

  stop(): void {
    this.isRunning = false;
    this.cancelTimer?.();
    this.cancelTimer = undefined;
  }

  private planFrom(time: number): void {
    for (const plan of this.heap.values()) {
      plan.at = nextTick(plan.schedule, plan.zone, time) ?? Number.POSITIVE_INFINITY;
    }
    this.heap.rebuild();
  }

  /** Sets the timer for the earliest tick, unless it is already set. */
  private arm(): void {
    if (!this.isRunning) return;
    const now = this.clock.now();
    const at = Math.min(this.heap.top?.at ?? Number.POSITIVE_INFINITY, now + longestSleepMs);
    if (this.cancelTimer && this.timerAt <= at && this.timerAt > now) return;
    this.wakeAt(at);
  }

  private wakeAt(at: number): void {
    this.cancelTimer?.();
    this.timerAt = at;
    const sleepMs = Math.min(Math.max(0, at - this.clock.now()), longestSleepMs);
    this.cancelTimer = this.clock.after(sleepMs, () => this.wake());
  }

  private wake(): void {
    this.cancelTimer = undefined;
    const now = this.clock.now();
    if (now < this.lastSeen.now - backwardMs) this.planFrom(now - this.unseenMs());
    this.lastSeen = { now, elapsed: this.clock.elapsed() };
    const due = this.takeDue(now);
    this.arm();
    if (due.length > 0) this.onDue(due);
  }

  /** How long ago the clock may have been set back. Ticks may have become due since then. */
  private unseenMs(): number {
    const { clock, lastSeen, startedElapsed } = this;
    const elapsed = clock.elapsed();
    return Math.min(elapsed - lastSeen.elapsed + (clock.followMs ?? 0), elapsed - startedElapsed);
  }

  private takeDue(now: number): DueTick<K>[] {
    const due: DueTick<K>[] = [];
    for (let plan = this.heap.top; plan && plan.at <= now; plan = this.heap.top) {
      const { key, schedule, zone, at } = plan;
      const tick = now - at < lateMs ? at : (lastTick(schedule, zone, at - 1, now) ?? at);
      due.push({ key, tick });
      plan.at = nextTick(schedule, zone, now) ?? Number.POSITIVE_INFINITY;
      this.heap.update(plan);
    }
    return due;
  }
}
