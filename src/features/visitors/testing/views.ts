import type { TestContext } from "node:test";
import { FakeClock } from "../../../lib/testing/fake-clock.ts";
import { dayMs } from "../../../lib/time/units.ts";
import type { Caller } from "../../../lib/worker/contract.ts";
import { createLocalCaller } from "../../../lib/worker/testing/local-caller.ts";
import type { Database, Engine } from "../../../storage/index.ts";
import { openTestDatabase } from "../../../storage/testing/test-database.ts";
import { createViewWriter } from "../collect/view-codec.ts";
import type { Bounds } from "../days/day-bounds.ts";
import { dayOf } from "../days.ts";
import type { PageView, Question, Summary, TidyStep, ViewBatch, VisitorCalls } from "../messages.ts";
import { createService, type VisitorService } from "../service.ts";
import { visitorMigrations } from "../tables.ts";

export const agents = {
  firefox: "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
  chrome:
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Safari/537.36",
  iphone:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
  googlebot: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  gptbot:
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
};

/** A day without other events. */
export const sunday = Date.parse("2026-11-15T00:00:00Z");
export const hour = 3_600_000;

export function viewAt(time: number, view: Partial<Omit<PageView, "time">> = {}): PageView {
  return {
    time,
    path: "/",
    referrer: "",
    host: "shop.example.com",
    ip: "192.0.2.1",
    agent: agents.firefox,
    ...view,
  };
}

export function packViews(views: readonly PageView[]): ViewBatch {
  const writer = createViewWriter(2 ** 26);
  for (const view of views) writer.add(view);
  return { count: writer.count, bytes: writer.take() };
}

export interface TestService {
  readonly service: VisitorService;
  /** Calls the service in this thread. */
  readonly caller: Caller<VisitorCalls>;
  readonly clock: FakeClock;
  readonly database: Database;
  /** Problems reported by the service. */
  readonly reports: (string | undefined)[];
  /** Adds views without writing them. */
  take(...views: PageView[]): void;
  summary(question?: Partial<Question>): Promise<Summary>;
  tidy(): Promise<TidyStep>;
}

export interface TestServiceOptions {
  readonly engine?: Engine;
  readonly database?: Database;
  readonly clock?: FakeClock;
  readonly bounds?: Bounds;
}

/** A service without its thread, closed when the test ends. The clock is at noon on Sunday. */
export async function createTestService(
  t: TestContext,
  options: TestServiceOptions = {},
): Promise<TestService> {
  const { engine = "sqlite", clock = new FakeClock(sunday + 12 * hour), bounds } = options;
  const database = options.database ?? (await openTestDatabase(t, engine, visitorMigrations));
  const reports: (string | undefined)[] = [];
  const report = (reason: string | undefined) => void reports.push(reason);
  const service = createService({ database, clock, report, ...(bounds && { bounds }) });
  t.after(() => service.close());
  const caller = createLocalCaller<VisitorCalls>(service.handlers);
  return {
    service,
    caller,
    clock,
    database,
    reports,
    take: (...views) => caller.post("add", [packViews(views)]),
    summary: (question) => caller.call("summarize", wholeDay(clock.now(), question)),
    tidy: () => caller.call("tidy"),
  };
}

/** A query for the day of the given time. */
export function wholeDay(time: number, question: Partial<Question> = {}): Question {
  const from = dayOf(time) * dayMs;
  return { from, to: from + dayMs, kind: "human", filters: {}, top: 10_000, byDay: false, ...question };
}

/** Deterministic pseudorandom numbers. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
