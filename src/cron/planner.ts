import type { AlarmClock } from "../lib/clock.ts";
import { type Due, Heap } from "./heap.ts";
import { lastTick, nextTick } from "./schedule/calendar.ts";
import type { Schedule } from "./schedule/schedule.ts";
import type { Timezone } from "./schedule/timezone.ts";

/** Something with a schedule, as the planner keeps it. */
interface Plan<K> extends Due {
  readonly key: K;
  readonly schedule: Schedule;
  zone: Timezone;
}

export interface DueTick<K> {
  readonly key: K;
  /** The moment the schedule named; the run may begin a little later. */
  readonly tick: number;
}

export interface PlannerOptions<K> {
  readonly clock: AlarmClock;
  /** Is told everything that has become due, together. */
  onDue(ticks: DueTick<K>[]): void;
}

/** A timer knows nothing of a clock that is put forward or of a machine that slept, so somebody has to look. */
const longestSleepMs = 15_000;

/** Corrections smaller than this are the clock's daily life. */
const backwardMs = 1_000;

/** A tick is on time within its own minute. */
const lateMs = 60_000;

/**
 * Says when something is due. One heap, one timer, whatever the number of jobs.
 *
 * When the clock is put forward, or the machine slept, each job that missed ticks gets the last of them and no burst.
 * When it is put back, everything is planned anew from there: whoever runs the ticks must know those that have run.
 */
export class Planner<K> {
  private readonly clock: AlarmClock;
  private readonly onDue: PlannerOptions<K>["onDue"];
  private readonly heap = new Heap<Plan<K>>();
  private readonly plans = new Map<K, Plan<K>>();
  private cancelTimer: (() => void) | undefined;
  private timerAt = Number.POSITIVE_INFINITY;
  private lastSeen = Number.NEGATIVE_INFINITY;
  private isRunning = false;

  constructor({ clock, onDue }: PlannerOptions<K>) {
    this.clock = clock;
    this.onDue = onDue;
  }

  /** Plans the next tick after now; what was planned under that key is forgotten. */
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

  /** When it is next due; `undefined` when it is not planned. */
  nextOf(key: K): number | undefined {
    const at = this.plans.get(key)?.at;
    return at === Number.POSITIVE_INFINITY ? undefined : at;
  }

  /** Plans everything anew from now on, in the zones that it is told. */
  replan(zoneOf: (key: K) => Timezone): void {
    // What is due this very moment is due in the old zone.
    if (this.isRunning) this.wake();
    for (const plan of this.heap.values()) plan.zone = zoneOf(plan.key);
    this.planFrom(this.clock.now());
    this.arm();
  }

  start(): void {
    this.isRunning = true;
    this.lastSeen = this.clock.now();
    this.planFrom(this.lastSeen);
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

  /** Sets the timer for the earliest, unless it is set for that already. */
  private arm(): void {
    if (!this.isRunning) return;
    const now = this.clock.now();
    const at = Math.min(this.heap.top?.at ?? Number.POSITIVE_INFINITY, now + longestSleepMs);
    if (this.cancelTimer && this.timerAt <= at && this.timerAt > now) return;
    this.cancelTimer?.();
    this.timerAt = at;
    this.cancelTimer = this.clock.after(Math.max(0, at - now), () => this.wake());
  }

  private wake(): void {
    this.cancelTimer = undefined;
    const now = this.clock.now();
    // The clock may have been put back since we last looked, and something may have become due since then.
    if (now < this.lastSeen - backwardMs) this.planFrom(now - longestSleepMs);
    this.lastSeen = now;
    const due = this.takeDue(now);
    this.arm();
    if (due.length > 0) this.onDue(due);
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
