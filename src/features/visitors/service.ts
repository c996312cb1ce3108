import { messageOf } from "../../lib/thrown.ts";
import type { AlarmClock } from "../../lib/time/clock.ts";
import { dayMs } from "../../lib/time/units.ts";
import type { Handlers } from "../../lib/worker/contract.ts";
import type { Database } from "../../storage/index.ts";
import { createViewQueue } from "./collect/view-queue.ts";
import { createClosedDays } from "./days/closed-days.ts";
import { type Bounds, type DayBounds, dayBounds, readDayBounds } from "./days/day-bounds.ts";
import { OldDays } from "./days/old-days.ts";
import { dayOf } from "./days.ts";
import type { Limits, PageView, Question, Summary, TidyStep, VisitorCalls } from "./messages.ts";
import { summarize } from "./report/summary.ts";
import { tidy } from "./tidy.ts";
import { createSalts, graceMs, isOpen } from "./visits/salts.ts";
import { writeVisits } from "./visits/visit-store.ts";
import { visitsOf } from "./visits/visits.ts";

export interface ServiceParts {
  readonly database: Database;
  readonly clock: AlarmClock;
  /** Reports why writes are failing; `undefined` reports recovery. */
  report(reason: string | undefined): void;
  /** Limits per day. Default `dayBounds`. */
  readonly bounds?: Bounds;
}

/** The part of the feature that runs in the background thread: it counts and stores views and responds to queries. */
export interface VisitorService {
  readonly handlers: Handlers<VisitorCalls>;
  /** Writes all views received so far. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const flushAfterMs = 2_000;
/** Views per transaction. Small enough that other queries do not have to wait. */
const viewsPerBatch = 100;

export function createService({ database, clock, report, bounds = dayBounds }: ServiceParts): VisitorService {
  const limits = createLimits();
  const closedDays = createClosedDays(database);
  const oldDays = new OldDays(database);
  const salts = createSalts(database, clock);
  let agents: ReturnType<typeof loadAgents> | undefined;
  const boundsOfDays = new Map<number, DayBounds>();
  const waiting = createViewQueue();
  let flushing: Promise<void> | undefined;
  let callOffFlush: (() => void) | undefined;
  let callOffForgetting = () => {};
  let isFailing = false;

  function flushLater(): void {
    callOffFlush ??= clock.after(flushAfterMs, () => {
      callOffFlush = undefined;
      void flush();
    });
  }

  /** Also writes views that arrive in the meantime. */
  function flush(): Promise<void> {
    flushing ??= writeAll().finally(() => {
      flushing = undefined;
    });
    return flushing;
  }

  async function writeAll(): Promise<void> {
    try {
      while (!waiting.isEmpty) await waiting.take(viewsPerBatch, writeViews);
      if (isFailing) report(undefined);
      isFailing = false;
    } catch (error) {
      fail(error);
      flushLater();
    }
  }

  function fail(error: unknown): void {
    isFailing = true;
    report(messageOf(error));
  }

  async function writeViews(day: number, views: readonly PageView[]): Promise<void> {
    if (!isOpen(day, clock.now())) {
      limits.late += views.length;
      return;
    }
    const salt = await salts.of(day);
    const ofDay = boundsOfDays.get(day) ?? (await readDayBounds(database, day, limits, bounds));
    boundsOfDays.set(day, ofDay);
    agents ??= loadAgents(clock, limits);
    const agentOf = await agents;
    const visits = visitsOf(views, { salt, bounds: ofDay, agentOf });
    await writeVisits(database, day, visits, { bounds: ofDay, limits });
  }

  /** Discards the salts and limits of past days, and schedules the next call. */
  async function forgetDays(): Promise<void> {
    callOffForgetting();
    const now = clock.now();
    const next = (dayOf(now - graceMs) + 1) * dayMs + graceMs;
    // Checked repeatedly, so that system sleep or a clock change does not delay it.
    callOffForgetting = clock.after(Math.min(next - now, graceMs), () => void forgetDays());
    for (const day of boundsOfDays.keys()) if (!isOpen(day, now)) boundsOfDays.delete(day);
    await salts.discard().catch(fail);
  }

  async function summarizeViews(question: Question): Promise<Summary> {
    await flush();
    const summary = await summarize(database, question, clock.now(), closedDays);
    return { ...summary, limits: { ...limits } };
  }

  async function tidyUp(): Promise<TidyStep> {
    await forgetDays();
    return tidy(database, clock.now(), { oldDays });
  }

  void forgetDays();
  return {
    handlers: {
      add(batch) {
        limits.lost += waiting.add(batch);
        flushLater();
      },
      summarize: summarizeViews,
      tidy: tidyUp,
      limitState: () => oldDays.limitState(clock.now()),
    },
    flush,
    async close() {
      callOffFlush?.();
      callOffForgetting();
      await flush();
      callOffFlush?.();
    },
  };
}

function createLimits(): Limits {
  return {
    late: 0,
    lost: 0,
    uncounted: 0,
    otherPages: 0,
    otherReferrers: 0,
    otherDetails: 0,
    unparsedAgents: 0,
  };
}

/** Only with the first view: an application without pages need not load the list of crawlers. */
async function loadAgents(clock: AlarmClock, limits: Limits) {
  const { createAgents } = await import("./collect/agents.ts");
  return createAgents(clock, limits);
}
