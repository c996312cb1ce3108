import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createEvents } from "../../feature/index.ts";
import { createListener } from "../../http/testing/listener.ts";
import { defaultRedactor } from "../../lib/redaction/redactor.ts";
import { FakeClock } from "../../lib/testing/fake-clock.ts";
import { createLocalCaller } from "../../lib/worker/testing/local-caller.ts";
import type { ErrorGroup } from "./failures/error-log.ts";
import type { FleetRequest, FoundRequests } from "./fleet/fleet-requests.ts";
import type { HistoryCalls } from "./history/calls.ts";
import { Recorder } from "./history/recorder.ts";
import type { SecondRecord } from "./history/slot.ts";
import { Metrics, type MetricsOptions } from "./metrics.ts";
import type { SystemDescription } from "./system/sampler.ts";
import { finishedRequest } from "./testing/traffic.ts";
import type { HealthReason, InstanceStatus } from "./wire.ts";

const start = Date.parse("2026-11-15T12:00:00.400Z");

const otherRequest: FleetRequest = {
  instance: "web-2",
  number: 1,
  startedAt: start - 5,
  time: start,
  traceId: "other",
  method: "GET",
  path: "/things",
  statusCode: 200,
  durationMs: 5,
  bytesIn: 0,
  bytesOut: 100,
  ip: "203.0.113.9",
  userAgent: "test/1",
};

function createMetrics(changes: Partial<MetricsOptions> = {}) {
  const clock = new FakeClock(start);
  const posted: { second: SecondRecord; errors: readonly ErrorGroup[] }[] = [];
  const called: string[] = [];
  const rests: boolean[] = [];
  let samples = 0;
  let isOpen = true;
  const metrics = new Metrics({
    clock,
    history: createLocalCaller<HistoryCalls>({
      record: (second, errors) => void posted.push({ second, errors }),
      leave: () => {},
      instances() {
        called.push("instances");
        return [];
      },
      maintain() {
        called.push("maintain");
        // The first call ends before the maintenance does.
        return called.length > 1 ? { compacted: 1, expired: 2, crowdedOut: 3, errors: 4 } : undefined;
      },
    }),
    background: { problem: undefined, lost: 0 },
    instance: "web-1",
    description: { platform: "linux", nodeVersion: "24", hostname: "web" } as SystemDescription,
    createSampler: () => ({
      sample: () => ({ "cpu.ratio": samples++ / 10 }),
      rest: (isResting) => void rests.push(isResting),
      close() {
        isOpen = false;
      },
    }),
    connections: () => 2,
    streams: { open: { eventStreams: 4, webSockets: 5 } },
    inFlight: () => 1,
    longRequests: () => ({ count: 0, handling: 0, listed: [] }),
    longRequestMs: 60_000,
    isDraining: () => false,
    storageIssues: () => [],
    fleetIssues: () => [],
    readyNeeds: () => ({ database: true, jobs: true, records: false }),
    limits: () => ({ errorPercent: 5, routeErrorPercent: 10, p95Ms: 10_000, routes: [] }),
    limitsOf: () => ({ errorShare: { value: 0.05 }, p95Ms: { value: 10_000 } }),
    uptimeMs: () => 5_000,
    probeStore: async () => {},
    dropped: () => [
      { name: "log_records", title: "Log records", about: "", count: () => 7 },
      ...metrics.listDropped(),
    ],
    ...changes,
  });
  return { metrics, clock, posted, called, rests, isSampling: () => isOpen };
}

const messagesOf = (reasons: readonly HealthReason[]) => reasons.map(({ message }) => message);

describe("metrics", () => {
  it("pass on each second with its counts and system metrics", async (t) => {
    const { metrics, clock, posted } = createMetrics();
    const { inject } = await createListener(t, (router, { observer }) => {
      metrics.observe(createEvents(observer));
      router.get("/x/{id}", (e) => e.text(200, "hello"));
      router.get("/broken", () => {
        throw new TypeError("broken");
      });
    });
    metrics.start();
    await inject("/x/1");
    await inject("/x/2");
    await inject("/broken");
    clock.advance(602);
    await inject("/x/3");
    clock.advance(1_000);
    clock.advance(1_000);
    const seconds = posted.map(({ second }) => [second.time - Math.floor(start / 1_000), second.routes]);
    assert.deepEqual(seconds, [
      [0, ["GET /x/{id}", "GET /broken"]],
      [1, ["GET /x/{id}"]],
      [2, []],
    ]);
    assert.deepEqual(posted[1]!.second.system, {
      "cpu.ratio": 0.2,
      "http.connections": 2,
      "http.event_streams": 4,
      "http.websockets": 5,
      "http.in_flight": 1,
      "http.long_running": 0,
    });
    assert.deepEqual(
      posted.map(({ errors }) => errors.map(({ type, origin }) => [type, origin])),
      [[["TypeError", "GET /broken"]], [], []],
    );
    metrics.stop();
  });

  it("report the load, the runs and recent requests to the other instances of a fleet", async () => {
    const beats: InstanceStatus[] = [];
    const shared: string[] = [];
    let left = 0;
    const { metrics, clock } = createMetrics({
      isShared: true,
      isFenced: () => true,
      activeRuns: () => [{ traceId: "t", run: { jobId: "backup", runId: "r1", startedAt: start } }],
      history: createLocalCaller<HistoryCalls>({
        record: (_, __, recent) => void shared.push(...recent.map(({ traceId }) => traceId)),
        beat: (status) => void beats.push(status),
        leave: () => void left++,
        instances: () => [
          { instance: "web-1", startedAt: start, beatAgeMs: 30_000, isStopped: false, description: {} },
        ],
      }),
    });
    metrics.start();
    for (let number = 0; number < 120; number++)
      metrics.requests.add(finishedRequest({ traceId: `t${number}`, statusCode: number === 0 ? 500 : 200 }));
    clock.advance(602);
    // The newest ones, and one that failed.
    assert.deepEqual([shared.length, shared[0], shared[1], shared.at(-1)], [51, "t0", "t70", "t119"]);
    clock.advance(9_000);
    assert.equal(shared.length, 51);
    assert.equal(beats.length, 2);
    const { is_fenced, run_count, runs, requests_per_second, in_flight, system } = beats[1]!;
    assert.deepEqual([is_fenced, run_count, in_flight, requests_per_second], [true, 1, 1, 24]);
    assert.deepEqual(runs, [{ job_id: "backup", run_id: "r1", started_at: start }]);
    assert.ok(system["cpu.ratio"]! > 0);
    // The stored row may be old, but the instance itself responds.
    const [own] = (await metrics.fleet.instances()).instances;
    assert.deepEqual([own!.state, own!.status!.run_count, own!.seen_at], ["running", 1, clock.now()]);
    metrics.stop();
    assert.equal(left, 1);
  });

  it("store the shutdown of an instance with its own database as well", () => {
    let left = 0;
    const history = createLocalCaller<HistoryCalls>({ record: () => {}, leave: () => void left++ });
    const { metrics, clock } = createMetrics({ history });
    metrics.start();
    clock.advance(1_000);
    metrics.stop();
    assert.equal(left, 1);
  });

  it("list an instance without a heartbeat as lost, and one that shut down as stopped", async () => {
    const record = { startedAt: start, isStopped: false, description: {} };
    const status = { run_count: 0 } as InstanceStatus;
    const { metrics } = createMetrics({
      isShared: true,
      history: createLocalCaller<HistoryCalls>({
        instances: () => [
          { ...record, instance: "a", beatAgeMs: 19_000, status },
          { ...record, instance: "b", beatAgeMs: 21_000, status },
          { ...record, instance: "c", beatAgeMs: 21_000, isStopped: true },
          // An older version, which writes two heartbeats a minute.
          { ...record, instance: "d", beatAgeMs: 40_000 },
        ],
      }),
    });
    const { instances } = await metrics.fleet.instances();
    assert.deepEqual(
      instances.map(({ instance, state, status: shown }) => [instance, state, shown]),
      [
        ["a", "running", status],
        ["b", "lost", undefined],
        ["c", "stopped", undefined],
        ["d", "running", undefined],
      ],
    );
  });

  it("show their own requests if those of others cannot be read", async () => {
    const { metrics } = createMetrics({
      isShared: true,
      history: createLocalCaller<HistoryCalls>({
        record: () => {},
        fleetRequests: () => {
          throw new Error("The database does not respond.");
        },
      }),
    });
    metrics.requests.add(finishedRequest({ traceId: "own" }));
    const query = { limit: 10, after: 0, marks: new Map(), filter: {}, instance: undefined };
    const { requests } = await metrics.fleet.list(query);
    assert.deepEqual(
      requests.map(({ trace_id, instance }) => [trace_id, instance]),
      [["own", "web-1"]],
    );
  });

  it("wait for a slow database if only another instance can know the trace", async () => {
    const found = Promise.withResolvers<FoundRequests>();
    const { metrics, clock } = createMetrics({
      isShared: true,
      history: createLocalCaller<HistoryCalls>({ record: () => {}, fleetRequests: () => found.promise }),
    });
    metrics.requests.add(finishedRequest({ traceId: "own" }));
    const query = { limit: 1, after: 0, marks: new Map(), instance: undefined };
    const list = (traceId: string) => metrics.fleet.list({ ...query, filter: { traceId } });
    const [own] = (await list("own")).requests;
    assert.equal(own?.instance, "web-1", "found without the database");
    const other = list("other");
    const detail = metrics.fleet.find("other");
    await clock.elapse(5_000);
    found.resolve({ requests: [otherRequest], marks: new Map() });
    assert.equal((await other).requests[0]?.instance, "web-2");
    assert.equal((await detail)?.instance, "web-2");
  });

  it("are sampled rarely while nothing happens, and every second has its values", async (t) => {
    const { metrics, clock, posted, rests } = createMetrics({
      inFlight: () => 0,
      streams: { open: { eventStreams: 0, webSockets: 0 } },
    });
    const { inject } = await createListener(t, (router, { observer }) => {
      metrics.observe(createEvents(observer));
      observer.onBusy = () => metrics.wake();
      router.get("/x", (e) => e.text(200, "hello"));
    });
    metrics.start();
    clock.advance(95_000);
    assert.deepEqual(rests, [true]);
    assert.ok(posted.length < 25, `${posted.length} records`);
    await inject("/x");
    assert.deepEqual(rests, [true, false]);
    clock.advance(2_000);
    const recorder = new Recorder();
    for (const { second } of posted) recorder.add(second);
    const slots = recorder.take().filter(({ level }) => level === 1);
    const first = Math.floor(start / 1_000);
    assert.deepEqual(
      slots.map(({ time, samples }) => [time - first, samples]),
      Array.from({ length: 97 }, (_, second) => [second, 1]),
    );
    assert.ok(slots.every(({ system }) => system.has("cpu.ratio")));
    const busy = slots.filter(({ requests }) => requests.size > 0);
    assert.deepEqual(
      busy.map(({ time }) => time - first),
      [95],
    );
    const { seconds } = metrics.snapshot();
    assert.ok(seconds.every(({ time }, index) => time === (first + index) * 1_000));
    assert.equal(seconds.length, 97);
    metrics.stop();
  });

  it("send the last seconds to new clients, and the cost of the collection", () => {
    const { metrics, clock } = createMetrics();
    metrics.start();
    clock.advance(200_000);
    const { seconds, cost, health, instance, system } = metrics.snapshot();
    assert.equal(seconds.length, 120);
    assert.ok(seconds.every(({ time }, index) => time === seconds[0]!.time + index * 1_000));
    assert.equal(cost.dropped.log_records, 7);
    assert.deepEqual([health.status, health.active_connections, instance], ["healthy", 2, "web-1"]);
    assert.deepEqual(system, {
      platform: "linux",
      hostname: "web",
      cpu_count: undefined,
      cpu_model: undefined,
      node_version: "24",
      v8_version: undefined,
      annex_version: undefined,
      app_release: undefined,
    });
    metrics.stop();
  });

  it("pass on the last partial second when they stop, and sample nothing afterwards", () => {
    const { metrics, clock, posted, isSampling } = createMetrics();
    metrics.start();
    clock.advance(700);
    metrics.stop();
    assert.equal(posted.length, 2);
    assert.equal(isSampling(), false);
    clock.advance(10_000);
    assert.equal(posted.length, 2);
  });

  it("pass on a request of the first partial second, and nothing if there was none", () => {
    const isPassedOn = (act: (metrics: Metrics) => void) => {
      const { metrics, posted } = createMetrics();
      metrics.start();
      act(metrics);
      metrics.stop();
      return posted.length > 0;
    };
    assert.equal(
      isPassedOn(() => {}),
      false,
    );
    assert.equal(
      isPassedOn(({ requests }) => requests.add(finishedRequest())),
      true,
    );
    assert.equal(
      isPassedOn((metrics) => metrics.fail({ error: new Error("lost"), origin: "job x", traceId: "t" })),
      true,
    );
  });

  it("pass on the counts before a query if there is no timer", async () => {
    const { metrics, posted, called } = createMetrics();
    await metrics.callHistory("instances");
    assert.equal(posted.length, 1);
    assert.equal(posted[0]!.second.system, undefined);
    assert.deepEqual(called, ["instances"]);
  });

  it("report storage problems", () => {
    const { metrics } = createMetrics({ background: { problem: "disk full", lost: 3 } });
    const { problem, dropped } = metrics.cost();
    assert.deepEqual([problem, dropped.handed_over], ["disk full", 3]);
  });

  it("report requests that have had no response for long, also as a gauge", () => {
    const request = {
      traceId: "abcdefghijklmnopqr",
      method: "GET",
      path: "/slow/7",
      route: "/slow/{id}",
      startedAt: start,
      ageMs: 61_000,
      phase: "handling",
    } as const;
    const { metrics } = createMetrics({
      longRequests: () => ({ count: 3, handling: 2, listed: [request] }),
    });
    const { status, reasons, long_requests } = metrics.snapshot().verdict;
    assert.equal(status, "degraded");
    assert.deepEqual(messagesOf(reasons), [
      "2 requests have had no response for more than 60 s. The oldest is GET /slow/{id}, after 61 s.",
    ]);
    assert.deepEqual(long_requests, [
      {
        trace_id: "abcdefghijklmnopqr",
        method: "GET",
        path: "/slow/7",
        route: "/slow/{id}",
        started_at: start,
        age_ms: 61_000,
        phase: "handling",
      },
    ]);
    assert.equal(metrics.health.read().status, "healthy", "load balancers do not follow it");
    assert.match(metrics.exposition(false), /^annex_http_long_running 3$/m);
  });

  it("show such a request without the secrets in its path", () => {
    const request = {
      traceId: "abcdefghijklmnopqr",
      method: "GET",
      path: "/reset/canary",
      route: "/reset/{token}",
      startedAt: start,
      ageMs: 61_000,
      phase: "handling",
    } as const;
    const { metrics } = createMetrics({
      longRequests: () => ({ count: 1, handling: 1, listed: [request] }),
    });
    const { verdict } = metrics.snapshot();
    assert.equal(verdict.long_requests[0]!.path, "/reset/[redacted]");
    assert.doesNotMatch(JSON.stringify(verdict), /canary/);
  });

  it("cut the path of such a request before they redact it", () => {
    const request = {
      traceId: "abcdefghijklmnopqr",
      method: "GET",
      path: `/${"x".repeat(16_000)}`,
      route: "/{rest...}",
      startedAt: start,
      ageMs: 61_000,
      phase: "handling",
    } as const;
    const lengths = new Set<number>();
    const path = (text: string) => {
      lengths.add(text.length);
      return text;
    };
    const { metrics } = createMetrics({
      longRequests: () => ({ count: 1, handling: 1, listed: [request] }),
      redactor: { ...defaultRedactor, path },
    });
    metrics.snapshot();
    assert.deepEqual([...lengths], [513]);
  });

  it("return the health status with the metrics of the last minute", async (t) => {
    let sampled: Record<string, number> = {};
    const createSampler = () => ({ sample: () => sampled, rest() {}, close() {} });
    const { metrics, clock } = createMetrics({ createSampler, history: createLocalCaller<HistoryCalls>({}) });
    const { inject } = await createListener(t, (router, { observer }) => {
      metrics.observe(createEvents(observer));
      router.get("/x", (e) => e.text(200, "hello"));
      router.get("/broken", (e) => e.text(500, "broken"));
    });
    assert.deepEqual(metrics.verdict(), {
      status: "healthy",
      reasons: [],
      uptime_seconds: 5,
      requests_per_second: 0,
      p95_ms: undefined,
      error_ratio: undefined,
      error_limit: 0.05,
      long_requests: [],
    });
    metrics.start();
    for (let round = 0; round < 6; round++) {
      for (let index = 0; index < 5; index++) await inject("/x");
      for (let index = 0; index < 5; index++) await inject("/broken");
      clock.advance(10_000);
    }
    const { p95_ms, reasons, ...verdict } = metrics.snapshot().verdict;
    assert.deepEqual(verdict, {
      status: "failing",
      uptime_seconds: 5,
      requests_per_second: 1,
      error_ratio: 0.5,
      error_limit: 0.05,
      long_requests: [],
    });
    assert.match(reasons[0]!.message, /^\d+ % of \d+ requests failed with a 5xx status\.$/);
    assert.match(reasons[1]!.message, /^GET \/broken fails in 100 % of its requests \(\d+ of \d+\)\.$/);
    assert.deepEqual(reasons[1]!.link, { page: "requests", params: { tab: "routes", route: "GET /broken" } });
    assert.ok(p95_ms! > 0);
    clock.advance(360_000);
    assert.equal(metrics.verdict().requests_per_second, 0);
    assert.equal(metrics.verdict().status, "healthy");
    sampled = { "disk.available_bytes": 1e9, "disk.used_bytes": 39e9, "loop.delay_p99_ms": 500 };
    clock.advance(60_000);
    assert.deepEqual(
      messagesOf(metrics.verdict().reasons).map((message) => message.split(" ").slice(0, 4).join(" ")),
      ["The p99 of the", "The disk of the"],
    );
    metrics.stop();
  });

  it("update the disk forecast periodically", async () => {
    const available = Array.from({ length: 168 }, (_, hour) => 17e9 - hour * 1e8);
    const total = available.map(() => 40e9);
    const series = (mean: number[]) => ({ mean, max: mean });
    const summary = (last: number) => ({ mean: last, max: last, last });
    let calls = 0;
    const history = createLocalCaller<HistoryCalls>({
      record() {},
      system({ from, to }) {
        calls++;
        return {
          from,
          to,
          step: 3_600,
          first_point: 0,
          instances: {
            "web-1": { "disk.available_bytes": series(available), "disk.total_bytes": series(total) },
          },
          summary: {
            "web-1": {
              "disk.available_bytes": summary(3e8),
              "disk.total_bytes": summary(40e9),
              "disk.used_bytes": summary(39.2e9),
            },
          },
        };
      },
    });
    const { metrics, clock } = createMetrics({ history });
    metrics.start();
    await clock.elapse(59_000);
    assert.equal(calls, 0, "not while the program starts");
    await clock.elapse(3_000);
    assert.equal(calls, 1);
    assert.deepEqual(messagesOf(metrics.verdict().reasons), [
      "The disk of the data folder will be full in about 3 hours: usage grows by 2.4 GB per day.",
    ]);
    await clock.elapse(600_000);
    assert.equal(calls, 2);
    assert.deepEqual(await metrics.disk(), {
      instance: "web-1",
      free_bytes: 3e8,
      total_bytes: 40e9,
      used_ratio: 0.992,
      growth_bytes_per_day: 2.4e9,
      days_to_full: 0.125,
    });
    metrics.stop();
  });

  it("provide a maintenance job", async () => {
    const { metrics, called } = createMetrics();
    const [job] = metrics.jobs;
    const said: string[] = [];
    const log = { info: (text: string) => said.push(text), complete: (text: string) => said.push(text) };
    await job!.run({ ...log, signal: new AbortController().signal });
    assert.deepEqual(called, ["maintain", "maintain"]);
    assert.match(said[0]!, /^Created 1 hours and days; deleted 2 expired and 3 excess slots$/);
  });

  it("count the runs of jobs by their outcome, for scrapers", () => {
    const { metrics } = createMetrics();
    metrics.countRun("backup", "success");
    metrics.countRun("backup", "success");
    metrics.countRun("backup", "failed");
    const text = metrics.exposition(false);
    assert.match(text, /^annex_cron_runs_total\{job="backup",status="success"\} 2$/m);
    assert.match(text, /^annex_cron_runs_total\{job="backup",status="failed"\} 1$/m);
    assert.match(text, /^annex_http_connections 2$/m);
  });
});
