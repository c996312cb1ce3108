import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import type { Events, FeatureEvents } from "../src/feature/index.ts";
import { createCron, cronMigrations, cronOptions } from "../src/features/cron/index.ts";
import type { HistoryCalls } from "../src/features/metrics/history/calls.ts";
import { History } from "../src/features/metrics/history/history.ts";
import { metricMigrations } from "../src/features/metrics/history/tables.ts";
import { Metrics } from "../src/features/metrics/metrics.ts";
import type { SystemDescription } from "../src/features/metrics/system/sampler.ts";
import { createGoodRandom, finishedRequest, routeNamed } from "../src/features/metrics/testing/traffic.ts";
import type { FinishedRequest } from "../src/http/index.ts";
import { defaultsOf } from "../src/lib/options/option-set.ts";
import { FakeClock, settle } from "../src/lib/testing/fake-clock.ts";
import { createLocalCaller } from "../src/lib/worker/testing/local-caller.ts";
import { openTestDatabase } from "../src/storage/testing/test-database.ts";

const limits = { errorPercent: 5, routeErrorPercent: 10, p95Ms: 10_000, routes: [] };

/** The shop of the incident: ten requests per second to three routes, and a job that runs every minute. */
async function openShop(t: TestContext) {
  const clock = new FakeClock("2026-11-16T06:00:00Z");
  const database = await openTestDatabase(t, "sqlite", metricMigrations);
  const jobDatabase = await openTestDatabase(t, "sqlite", cronMigrations);
  const logger = { write() {}, debug() {}, info() {}, warn() {}, error() {} };
  const state = { isBad: false };

  const options = { current: { ...defaultsOf(cronOptions) }, onChange() {}, connect() {} };
  const cron = createCron({ database: async () => jobDatabase, clock, logger, options });
  t.after(() => cron.close());
  cron.jobs.registerJob("report", "Nightly report", "", "* * * * *", () => {
    if (state.isBad) throw new Error("ENOSPC: no space left on device");
  });
  await cron.open();
  await cron.start();

  const history = new History({
    ...{ database, clock, instance: "web-1", maxBytes: 1e9, description: {} },
    report() {},
  });
  let finish: (request: FinishedRequest) => void = () => {};
  const events: Pick<Events, "on"> = {
    on<Name extends keyof FeatureEvents>(name: Name, listener: (event: FeatureEvents[Name]) => void) {
      if (name === "request.finished") finish = listener as typeof finish;
    },
  };
  const start = () => {
    const metrics = new Metrics({
      clock,
      history: createLocalCaller<HistoryCalls>({
        record: (second, errors) => history.record(second, errors),
        routes: (query) => history.routes(query),
        system: (query) => history.system(query),
        stalls: (query) => history.stalls(query),
        trafficIssues: (query, given) => history.trafficIssues(query, given),
      }),
      background: { problem: undefined, lost: 0 },
      instance: "web-1",
      description: {} as SystemDescription,
      createSampler: () => ({ sample: () => ({}), rest() {}, close() {} }),
      connections: () => 0,
      streams: { open: { eventStreams: 0, webSockets: 0 } },
      inFlight: () => 0,
      longRequests: () => ({ count: 0, handling: 0, listed: [] }),
      longRequestMs: 60_000,
      isDraining: () => false,
      storageIssues: () => [],
      fleetIssues: () => [],
      readyNeeds: () => ({ database: true, jobs: true, records: false }),
      healthIssues: cron.healthIssues,
      pastIssues: cron.pastIssues,
      limits: () => limits,
      limitsOf: (route) => ({ errorShare: { value: route ? 0.1 : 0.05 }, p95Ms: { value: 10_000 } }),
      uptimeMs: () => 1,
      probeStore: async () => {},
      dropped: () => [],
    });
    metrics.observe(events);
    metrics.start();
    return metrics;
  };
  let metrics = start();
  t.after(async () => {
    metrics.stop();
    await history.close();
  });

  const random = createGoodRandom(5);
  const [home, search, checkout] = [
    routeNamed(1, "/"),
    routeNamed(2, "/search"),
    routeNamed(3, "/checkout", "POST"),
  ];
  const visit = () => {
    const spread = 0.8 + random() * 0.4;
    for (let index = 0; index < 7; index++) finish(finishedRequest({ route: home, durationMs: 3 * spread }));
    for (let index = 0; index < 2; index++)
      finish(finishedRequest({ route: search, durationMs: (state.isBad ? 1_000 : 40) * spread }));
    const isFailed = random() < (state.isBad ? 0.35 : 0.01);
    finish(finishedRequest({ route: checkout, statusCode: isFailed ? 500 : 201, durationMs: 8 * spread }));
  };
  /** Lets time pass with traffic, until it is over or the condition holds. Returns the seconds. */
  async function pass(seconds: number, until: () => boolean = () => false): Promise<number> {
    for (let second = 1; second <= seconds; second++) {
      visit();
      clock.advance(1_000);
      await settle();
      if (until()) return second;
    }
    return seconds;
  }
  return {
    clock,
    state,
    pass,
    verdict: () => metrics.verdict(),
    past: (from: number, to: number) => metrics.pastHealth({ from: from / 1_000, to: to / 1_000 }),
    restart() {
      metrics.stop();
      metrics = start();
    },
  };
}

describe("the health status during the planted incident", () => {
  it("names the slow route, the failing route and the job within a minute, and recovers", async (t) => {
    const shop = await openShop(t);
    await shop.pass(420);
    assert.deepEqual(shop.verdict().reasons, []);

    // The release with the regression.
    shop.restart();
    shop.state.isBad = true;
    const began = shop.clock.now();
    const messages = () => shop.verdict().reasons.map(({ message }) => message);
    const isNamed = (pattern: RegExp) => messages().some((message) => pattern.test(message));
    const slow = /^GET \/search is slow: p95 1\.\d+ s, \d+ times that in the hour before \(4\d\.?\d* ms\)\.$/;
    const failing = /^POST \/checkout fails in \d+(\.\d+)? % of its requests/;
    const seconds = await shop.pass(80, () => isNamed(slow) && isNamed(failing));
    assert.ok(seconds <= 70, `${seconds} s: ${messages()}`);
    assert.equal(shop.verdict().status, "degraded");
    await shop.pass(100, () => isNamed(/^Job "Nightly report" failed/));

    const byId = new Map(shop.verdict().reasons.map((reason) => [reason.id, reason]));
    assert.deepEqual(byId.get("latency GET /search")!.link, {
      page: "requests",
      params: { tab: "routes", route: "GET /search" },
    });
    assert.ok(Math.abs(byId.get("errors POST /checkout")!.since - began) <= 20_000);
    const job = byId.get("job report")!;
    assert.equal(job.message, 'Job "Nightly report" failed 2 times in a row.');
    assert.deepEqual(job.link, { page: "cron", params: { job: "report" } });
    assert.ok(job.since >= began);

    await shop.pass(240);
    shop.state.isBad = false;
    const ended = shop.clock.now();
    const calm = await shop.pass(420, () => shop.verdict().status === "healthy");
    assert.ok(calm < 420, `${messages()}`);

    await shop.pass(60);
    const { status, reasons } = await shop.past(began - 60_000, ended + 30_000);
    assert.equal(status, "degraded");
    const inPast = new Map(reasons.map((reason) => [reason.id, reason]));
    const { message, since, until } = inPast.get("errors POST /checkout")!;
    assert.match(
      message,
      /^POST \/checkout failed in \d+(\.\d+)? % of its requests .* in the hour before\.$/,
    );
    assert.ok(Math.abs(since - began) <= 60_000, `${since - began}`);
    assert.ok(Math.abs(until! - ended) <= 60_000, `${until! - ended}`);
    assert.match(inPast.get("job report")!.message, /^Job "Nightly report" failed in \d of \d runs\.$/);
    assert.ok(inPast.has("latency GET /search"));

    const before = await shop.past(began - 240_000, began - 60_000);
    assert.deepEqual([before.status, before.reasons], ["healthy", []]);
  });
});
