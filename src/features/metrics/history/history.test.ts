import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import type { FinishedRequest } from "../../../http/index.ts";
import { FakeClock } from "../../../lib/testing/fake-clock.ts";
import { until } from "../../../lib/testing/until.ts";
import type { Database } from "../../../storage/index.ts";
import { engines, openTestDatabase } from "../../../storage/testing/test-database.ts";
import { type ErrorGroup, ErrorLog } from "../failures/error-log.ts";
import { toPackedRow, toReleasedRows } from "../testing/released-rows.ts";
import { createDuration, createRandom, finishedRequest, routeNamed, secondOf } from "../testing/traffic.ts";
import type * as wire from "../wire.ts";
import { blockWriter } from "./blocks/block-codec.ts";
import { mergeRow } from "./compaction.ts";
import { History } from "./history.ts";
import { createNames } from "./names.ts";
import { holdSize } from "./retention.ts";
import { Slot } from "./slot.ts";
import type { SlotRow } from "./slot-store.ts";
import { type MetricTables, metricMigrations } from "./tables.ts";

const start = Date.parse("2026-11-15T12:00:00Z") / 1_000;

const toEnds = ({ from, to }: { from: number; to: number }) => ({ from, to });

interface Past {
  readonly clock: FakeClock;
  readonly database: Database;
  open(instance?: string, options?: { maxBytes?: number }): History & { problems: (string | undefined)[] };
}

async function createPast(t: TestContext, engine: (typeof engines)[number]): Promise<Past> {
  const database = await openTestDatabase(t, engine, metricMigrations);
  const clock = new FakeClock(start * 1_000);
  return {
    clock,
    database,
    open(instance = "one", { maxBytes = 1e9 } = {}) {
      const problems: (string | undefined)[] = [];
      const report = (reason: string | undefined) => problems.push(reason);
      const history = new History({ database, clock, instance, maxBytes, report, description: { cores: 2 } });
      return Object.assign(history, { problems });
    },
  };
}

/** Deterministic requests to a few routes. */
function createTraffic(seed: number) {
  const random = createRandom(seed);
  const duration = createDuration(random);
  const routes = [1, 2, 3].map((index) => routeNamed(index));
  return (count: number): FinishedRequest[] =>
    Array.from({ length: count }, () =>
      finishedRequest({
        route: routes[Math.floor(random() * 3)],
        durationMs: duration(),
        statusCode: random() < 0.1 ? 404 : random() < 0.02 ? 503 : 200,
        bytesSent: Math.floor(random() * 1_000),
      }),
    );
}

function assertStats(values: wire.RequestStats, requests: readonly FinishedRequest[]): void {
  const withStatus = (hundreds: number) =>
    requests.filter(({ statusCode }) => Math.floor(statusCode / 100) === hundreds).length;
  assert.equal(values.count, requests.length);
  assert.equal(values.status_2xx, withStatus(2));
  assert.equal(values.status_4xx, withStatus(4));
  assert.equal(values.status_5xx, withStatus(5));
  assert.equal(
    values.bytes_out,
    requests.reduce((sum, { bytesSent }) => sum + bytesSent, 0),
  );
  const sorted = requests.map(({ durationMs }) => durationMs).sort((one, other) => one - other);
  for (const [share, found] of [
    [0.5, values.p50_ms],
    [0.95, values.p95_ms],
    [0.99, values.p99_ms],
  ] as const) {
    const exact = sorted[Math.ceil(share * sorted.length) - 1]!;
    assert.ok(Math.abs(found! / exact - 1) <= 0.02, `${share}: ${found} for ${exact}`);
  }
  assert.ok(Math.abs(values.max_ms! - sorted.at(-1)!) < 0.001);
}

/** Replaces slots of a period with what an earlier release would have written. */
async function rewrite(
  database: Database,
  { from, to }: { from: number; to: number },
  toRows: (...slot: Parameters<typeof toReleasedRows>) => SlotRow[],
): Promise<void> {
  const tables = database.tables<MetricTables>();
  const names = createNames(database);
  const known = await names.all();
  const old = await tables
    .selectFrom("annex_metric_slots")
    .selectAll()
    .where("level", ">=", 10)
    .where("time", ">=", from)
    .where("time", "<", to)
    .execute();
  for (const row of old) {
    const slot = new Slot(row.level, row.time, row.writer);
    mergeRow(slot, row, known);
    await tables
      .deleteFrom("annex_metric_slots")
      .where("level", "=", row.level)
      .where("time", "=", row.time)
      .execute();
    await tables
      .insertInto("annex_metric_slots")
      .values(toRows(slot, row.instance, names))
      .execute();
  }
}

/** The times of minutes outside of blocks. */
async function singleMinutes(database: Database): Promise<number[]> {
  const rows = await database
    .tables<MetricTables>()
    .selectFrom("annex_metric_slots")
    .select("time")
    .where("level", "=", 60)
    .where("writer", "<>", blockWriter)
    .orderBy("time")
    .execute();
  return rows.map(({ time }) => time);
}

for (const engine of engines) {
  describe(`the history on ${engine}`, () => {
    it("returns the metrics of a period within two percent, over three instances and by route", async (t) => {
      const past = await createPast(t, engine);
      const all: { time: number; request: FinishedRequest }[] = [];
      for (const [number, instance] of ["one", "two", "three"].entries()) {
        const history = past.open(instance);
        const traffic = createTraffic(number + 1);
        for (let time = start; time < start + 300; time++) {
          const requests = traffic(5);
          all.push(...requests.map((request) => ({ time, request })));
          history.record(secondOf(time, requests), []);
        }
        await history.close();
      }
      past.clock.advance(300_000);
      const history = past.open("four");
      const window = { from: start + 33, to: start + 237 };
      const within = all.filter(({ time }) => time >= window.from && time < window.to);
      const table = await history.routes(window);
      assert.deepEqual([table.from, table.to], [window.from, window.to]);
      assertStats(
        table.totals,
        within.map(({ request }) => request),
      );
      assert.equal(table.routes.length, 3);
      for (const values of table.routes) {
        const ofRoute = within.filter(({ request }) => `GET ${request.route!.pattern.text}` === values.route);
        assertStats(
          values,
          ofRoute.map(({ request }) => request),
        );
      }
      const one = await history.routes({ ...window, instance: "two" });
      assert.equal(one.totals.count, 204 * 5);
    });

    it("returns points that add up, for all routes or one", async (t) => {
      const past = await createPast(t, engine);
      const history = past.open();
      const traffic = createTraffic(7);
      const all: { time: number; request: FinishedRequest }[] = [];
      for (let time = start; time < start + 120; time++) {
        const requests = traffic(4);
        all.push(...requests.map((request) => ({ time, request })));
        history.record(secondOf(time, requests), []);
      }
      past.clock.advance(120_000);
      const query = { from: start, to: start + 120, points: 12 };
      const series = await history.requests(query);
      assert.equal(series.step, 10);
      assert.equal(series.points.length, 12);
      for (const [index, point] of series.points.entries()) {
        const within = all.filter(({ time }) => Math.floor((time - start) / 10) === index);
        assertStats(
          point,
          within.map(({ request }) => request),
        );
      }
      const route = "GET /things/2";
      const ofRoute = await history.requests({ ...query, route });
      assertStats(
        ofRoute.totals,
        all.map(({ request }) => request).filter((request) => request.route!.index === 2),
      );
      const unknown = await history.requests({ ...query, route: "GET /nowhere" });
      assert.equal(unknown.totals.count, 0);
      assert.equal(unknown.totals.p50_ms, undefined);
    });

    it("returns the same after a restart, and after minutes have been merged into hours and days", async (t) => {
      const past = await createPast(t, engine);
      const traffic = createTraffic(3);
      let history = past.open();
      const seconds = 3 * 3_600;
      for (let time = start; time < start + seconds; time += 7) {
        history.record(secondOf(time, traffic(2), { "cpu.ratio": (time % 100) / 100 }), []);
        // A restart in the middle of an hour, a minute and ten seconds.
        if (time - start > 5_000 && time - start <= 5_007) {
          await history.close();
          history = past.open();
        }
      }
      past.clock.advance(2 * 86_400_000);
      const queries = [
        { from: start + 60, to: start + 2 * 3_600 + 120 },
        { from: start, to: start + seconds },
        { from: start - 86_400, to: start + 86_400 },
      ];
      const ask = async () => [
        ...(await Promise.all(queries.map((query) => history.routes(query)))),
        ...(await Promise.all(queries.map((query) => history.requests({ ...query, points: 10 })))),
        ...(await Promise.all(
          queries.map((query) => history.requests({ ...query, route: "GET /things/2" })),
        )),
        ...(await Promise.all(queries.map((query) => history.system({ ...query, points: 10 })))),
        ...(await Promise.all(queries.map((query) => history.slowest(query)))),
      ];
      const before = await ask();
      await history.close();
      history = past.open();
      assert.deepEqual(await ask(), before);
      const { compacted } = await history.maintain();
      assert.equal(compacted, 3 + 1);
      assert.deepEqual(await ask(), before);
      const rows = await past.database
        .tables<MetricTables>()
        .selectFrom("annex_metric_slots")
        .select(["level", "time"])
        .where("level", ">=", 3_600)
        .where("part", "=", 0)
        .execute();
      assert.equal(rows.length, 2, "one block with the hours, and one row for the day");
      assert.equal((await history.maintain()).compacted, 0);
    });

    it("creates an hour again when late data arrives", async (t) => {
      const past = await createPast(t, engine);
      const traffic = createTraffic(5);
      const early = past.open("early");
      const late = past.open("late");
      const query = { from: start, to: start + 3_600 };
      for (let time = start; time < start + 7_200; time += 60) {
        early.record(secondOf(time, traffic(3)), []);
      }
      past.clock.advance(86_400_000);
      await early.maintain();
      assert.equal((await early.routes(query)).totals.count, 180);
      for (let time = start; time < start + 3_600; time += 60) late.record(secondOf(time, traffic(2)), []);
      await late.flush();
      assert.equal((await early.routes(query)).totals.count, 300);
      assert.ok((await early.maintain()).compacted > 0);
      assert.equal((await early.routes(query)).totals.count, 300);
      // The other hour is in the same block.
      const next = { from: start + 3_600, to: start + 7_200 };
      assert.equal((await early.routes(next)).totals.count, 180);
      assert.equal((await early.routes({ from: start, to: next.to })).totals.count, 480);
    });

    it("does not change an hour whose minutes have been deleted when late data arrives", async (t) => {
      const past = await createPast(t, engine);
      const history = past.open();
      const count = async (query: { from: number; to: number }) => (await history.routes(query)).totals.count;
      for (let time = start - 3_600; time < start + 7_200; time += 10) {
        history.record(secondOf(time, [finishedRequest()]), []);
      }
      past.clock.advance(3 * 3_600_000);
      await history.maintain();
      const hours = { from: start - 3_600, to: start + 7_200 };
      assert.equal(await count(hours), 1_080);
      // Half of the minutes of the middle hour have expired, and all before.
      past.clock.advance((start + 30 * 86_400 + 1_800) * 1_000 - past.clock.now());
      await history.maintain();
      assert.equal(await count(hours), 1_080);
      const late = past.open("late");
      for (const time of [0, start - 60, start + 60, start + 3_660]) {
        late.record(secondOf(time, [finishedRequest()]), []);
        await late.flush();
      }
      await history.maintain();
      const after = await count(hours);
      assert.ok(after >= 1_080 && after <= 1_083, `${after}`);
    });

    it("is not stopped by an error that a client has put a null into", async (t) => {
      const past = await createPast(t, engine);
      const history = past.open();
      const log = new ErrorLog();
      log.add({ error: new Error("no a\0b"), origin: "GET /\0", traceId: "t" }, start * 1_000);
      history.record(secondOf(start, [finishedRequest()]), log.take());
      past.clock.advance(60_000);
      assert.equal((await history.listErrors({ from: start, to: start + 60 })).errors.length, 1);
      assert.equal(history.problems.at(-1), undefined);
    });

    it("stores a thousand kinds of errors and counts the others", async (t) => {
      const past = await createPast(t, engine);
      const history = past.open();
      for (let second = 0; second < 11; second++) {
        const log = new ErrorLog();
        for (let kind = 0; kind < 100; kind++) {
          log.add({ error: new Error("x"), origin: `job ${second} ${kind}`, traceId: "t" }, start * 1_000);
        }
        history.record(secondOf(start + second, []), log.take());
        await history.flush();
      }
      const rows = await past.database
        .tables<MetricTables>()
        .selectFrom("annex_errors")
        .selectAll()
        .execute();
      assert.equal(rows.length, 1_000);
      assert.equal((await history.size()).dropped_errors, 100);
    });

    it("knows names that another instance was slow to commit", async (t) => {
      const past = await createPast(t, engine);
      const one = past.open("one");
      const two = past.open("two");
      const manyRoutes = (from: number) =>
        Array.from({ length: 700 }, (_, index) => finishedRequest({ route: routeNamed(from + index) }));
      one.record(secondOf(start, manyRoutes(1)), []);
      two.record(secondOf(start, manyRoutes(400)), []);
      await Promise.all([one.flush(), two.flush()]);
      past.clock.advance(60_000);
      const { routes, totals } = await one.routes({ from: start, to: start + 60 });
      assert.equal(totals.count, 1_400);
      assert.equal(new Set(routes.map(({ route }) => route)).size, 1_099);
    });

    it("stores system metrics by instance and omits absent ones", async (t) => {
      const past = await createPast(t, engine);
      const one = past.open("one");
      const two = past.open("two");
      for (let time = start; time < start + 60; time++) {
        one.record(
          secondOf(time, [], { "cpu.ratio": time % 2 ? 0.2 : 0.4, "disk.used_bytes": 123_456_789 }),
          [],
        );
        if (time < start + 30) two.record(secondOf(time, [], { "cpu.ratio": 1 }), []);
      }
      past.clock.advance(60_000);
      await two.flush();
      const query = { from: start, to: start + 60, points: 2 };
      const { instances, step } = await one.system(query);
      assert.equal(step, 30);
      assert.deepEqual(instances.one!["cpu.ratio"], { mean: [0.3, 0.3], max: [0.4, 0.4] });
      assert.deepEqual(instances.two!["cpu.ratio"], { mean: [1, null], max: [1, null] });
      assert.deepEqual(Object.keys(instances.two!), ["cpu.ratio"]);
      const named = { ...query, names: ["disk.*"] };
      const some = await one.system(named);
      assert.deepEqual(Object.keys(some.instances.one!), ["disk.used_bytes"]);
      assert.ok(Math.abs(some.instances.one!["disk.used_bytes"]!.mean[0]! / 123_456_789 - 1) < 1e-5);
      assert.deepEqual(
        (await one.instances.list()).map(({ instance, description }) => [instance, description]).sort(),
        [
          ["one", { cores: 2 }],
          ["two", { cores: 2 }],
        ],
      );
    });

    it("compares errors with the window before, if that is covered", async (t) => {
      const past = await createPast(t, engine);
      const history = past.open();
      const group = (time: number, count: number): ErrorGroup => ({
        ...{ fingerprint: "f", type: "Error", message: "", stack: "", causes: [], origin: "GET /", count },
        samples: [{ time: time * 1_000, traceId: `t${time}`, message: "" }],
      });
      for (let minute = 0; minute < 6; minute++) {
        const time = start + minute * 60;
        history.record(secondOf(time, [finishedRequest()]), [group(time, minute < 4 ? 1 : 10)]);
      }
      past.clock.advance(360_000);
      const list = async (from: number, to: number) => {
        const { has_earlier, errors } = await history.listErrors({ from: start + from, to: start + to });
        return [has_earlier, errors[0]!.count, errors[0]!.previous_count];
      };
      assert.deepEqual(await list(240, 360), [true, 20, 2]);
      assert.deepEqual(await list(60, 360), [true, 23, undefined], "only a minute is known before");
      assert.deepEqual(await list(0, 360), [false, 24, undefined]);
    });

    it("computes percentiles of several points if they have few requests, and never of later ones", async (t) => {
      const past = await createPast(t, engine);
      const history = past.open();
      for (let time = start; time < start + 100; time++) {
        const durationMs = time < start + 50 ? 10 : 500;
        history.record(secondOf(time, [finishedRequest({ durationMs })]), []);
      }
      past.clock.advance(100_000);
      const query = { from: start, to: start + 100, points: 100 };
      const plain = await history.requests(query);
      assert.equal(plain.latency_step_ms, 1_000);
      const smooth = await history.requests({ ...query, smooth: true });
      assert.equal(smooth.latency_step_ms, 5_000);
      assert.deepEqual(
        smooth.points.map(({ count }) => count),
        plain.points.map(({ count }) => count),
      );
      const tail = await history.requests({ ...query, smooth: true, after: start + 48 });
      assert.equal(tail.first_point, 48);
      assert.deepEqual(tail.points, smooth.points.slice(48));
      const p95 = (series: typeof smooth, at: number) => series.points[at]!.p95_ms!;
      assert.ok(p95(smooth, 49) < 20, "the last point before the change");
      assert.ok(p95(smooth, 50) > 400, "the first point after it");
      assert.ok(smooth.points[53]!.p50_ms! > 400 && smooth.points[50]!.p50_ms! < 20);
    });

    it("lists the slowest requests of a period", async (t) => {
      const past = await createPast(t, engine);
      const history = past.open();
      for (let time = start; time < start + 100; time++) {
        const durationMs = time - start + 1;
        history.record(secondOf(time, [finishedRequest({ durationMs, route: routeNamed(durationMs) })]), []);
      }
      past.clock.advance(100_000);
      const { requests } = await history.slowest({ from: start + 10, to: start + 50 });
      assert.deepEqual(
        requests.map(({ durationMs }) => durationMs),
        Array.from({ length: 10 }, (_, index) => 50 - index),
      );
    });

    it("knows the first and the last of an error, whichever instance writes first", async (t) => {
      const past = await createPast(t, engine);
      const groupAt = (time: number): ErrorGroup => ({
        fingerprint: "f1",
        type: "TypeError",
        message: `at ${time}`,
        stack: `TypeError: at ${time}`,
        causes: [],
        origin: "GET /things",
        count: 1,
        samples: [{ time: time * 1_000, traceId: `t${time}`, message: "m" }],
      });
      const [one, two] = [past.open("one"), past.open("two")];
      two.record(secondOf(start + 70, []), [groupAt(start + 70)]);
      past.clock.advance(80_000);
      await two.flush();
      one.record(secondOf(start, []), [groupAt(start)]);
      await one.flush();
      const { errors } = await one.listErrors({ from: start, to: start + 120 });
      assert.partialDeepStrictEqual(errors, [
        { first_seen: start * 1_000, last_seen: (start + 70) * 1_000, message: `at ${start + 70}`, total: 2 },
      ]);
    });

    it("groups errors over instances and counts them by time", async (t) => {
      const past = await createPast(t, engine);
      const groupAt = (time: number, count: number): ErrorGroup => ({
        fingerprint: "f1",
        type: "TypeError",
        message: `at ${time}`,
        stack: "TypeError: at\n    at f (/app/x.ts:1:1)",
        causes: [],
        origin: "GET /things",
        count,
        samples: [{ time: time * 1_000, traceId: `t${time}`, message: "m" }],
      });
      const one = past.open("one");
      const two = past.open("two");
      one.record(secondOf(start, []), [groupAt(start, 3)]);
      two.record(secondOf(start + 70, []), [groupAt(start + 70, 2)]);
      one.record(secondOf(start + 30, []), [groupAt(start + 30, 4)]);
      past.clock.advance(120_000);
      await two.flush();
      const { errors, step } = await one.listErrors({ from: start, to: start + 120 });
      assert.equal(step, 60);
      assert.partialDeepStrictEqual(errors, [
        { fingerprint: "f1", count: 9, total: 9, series: [7, 2], first_seen: start * 1_000 },
      ]);
      assert.equal(errors[0]!.last_seen, (start + 70) * 1_000);
      assert.deepEqual(
        (await one.listErrors({ from: start, to: start + 120, instance: "two" })).errors.map(
          ({ count }) => count,
        ),
        [2],
      );
      const window = { from: start - 60, to: start + 120, points: 3 };
      const detail = await one.findError("f1", window);
      assert.partialDeepStrictEqual(detail, { ...toEnds(window), step: 60, count: 9, series: [0, 7, 2] });
      assert.deepEqual([detail!.is_new, detail!.routes, detail!.jobs], [true, ["GET /things"], []]);
      assert.deepEqual(
        detail!.samples.map(({ trace_id, instance }) => [trace_id, instance]),
        [
          [`t${start + 70}`, "two"],
          [`t${start + 30}`, "one"],
          [`t${start}`, "one"],
        ],
      );
      assert.deepEqual(
        detail!.samples.map(({ time }) => time),
        [start + 70, start + 30, start].map((time) => time * 1_000),
      );
      assert.equal((await one.findError("f1", { ...window, instance: "two" }))!.count, 2);
      const later = (await one.findError("f1", { from: start + 60, to: start + 120 }))!;
      assert.deepEqual([later.is_new, later.count, later.total], [false, 2, 9]);
      assert.equal(await one.findError("f2", window), undefined);
      past.clock.advance(31 * 86_400_000);
      assert.equal((await one.maintain()).errors, 1);
      assert.equal(await one.findError("f1", window), undefined);
    });

    it("finds errors by origin and text, and marks new ones", async (t) => {
      const past = await createPast(t, engine);
      const history = past.open();
      const log = new ErrorLog();
      const fail = (error: Error, origin: string, time: number) =>
        log.add({ error, origin, traceId: "t" }, time * 1_000);
      fail(new TypeError("Over 9,000 % of it"), "GET /things/{id}", start);
      history.record(secondOf(start, []), log.take());
      await history.flush();
      fail(new TypeError("Over 9,000 % of it"), "GET /things/{id}", start + 120);
      fail(new RangeError("Too far"), "GET /things/{id}", start + 120);
      fail(new RangeError("Too far"), "job backup", start + 120);
      history.record(secondOf(start + 120, []), log.take());
      past.clock.advance(180_000);
      const window = { from: start + 60, to: start + 180 };
      const list = async (filter = {}) =>
        (await history.listErrors(window, filter)).errors
          .map(({ type, origin, is_new, routes, jobs }) => [type, origin, is_new, routes, jobs])
          .sort();
      const known = ["TypeError", "GET /things/{id}", false, ["GET /things/{id}"], []];
      const ofRoute = ["RangeError", "GET /things/{id}", true, ["GET /things/{id}"], []];
      const ofJob = ["RangeError", "job backup", true, [], ["backup"]];
      assert.deepEqual(await list(), [ofRoute, ofJob, known]);
      assert.deepEqual(await list({ origin: "GET /things/{id}" }), [ofRoute, known]);
      assert.deepEqual(await list({ origin: "job backup", text: "range" }), [ofJob]);
      assert.deepEqual(await list({ text: "TOO FAR" }), [ofRoute, ofJob]);
      assert.deepEqual(await list({ text: "9,000 % OF" }), [known]);
      assert.deepEqual(await list({ text: "BACKUP" }), [ofJob]);
      assert.deepEqual(await list({ text: "of%it" }), [], "a text is not a pattern");
      assert.equal((await history.listErrors(window)).kinds, 3);
    });

    it("compares a period with the preceding one of the same length", async (t) => {
      const past = await createPast(t, engine);
      const history = past.open();
      const traffic = createTraffic(11);
      const all: { time: number; request: FinishedRequest }[] = [];
      for (let time = start; time < start + 300; time++) {
        const requests = traffic(time < start + 150 ? 3 : 5);
        all.push(...requests.map((request) => ({ time, request })));
        history.record(secondOf(time, requests, { "cpu.ratio": time < start + 200 ? 0.2 : 0.6 }), []);
      }
      past.clock.advance(300_000);
      // Half of the period is in the future, so the preceding period is half as long.
      const query = { from: start + 200, to: start + 400, points: 20, compare: true };
      const before = all.filter(({ time }) => time >= start + 100 && time < start + 200);
      const requestsOf = (some: typeof all) => some.map(({ request }) => request);
      const series = await history.requests(query);
      assertStats(series.previous!, requestsOf(before));
      const onTwo = before.filter(({ request }) => request.route!.index === 2);
      const route = "GET /things/2";
      const ofRoute = await history.requests({ ...query, route });
      assertStats(ofRoute.previous!, requestsOf(onTwo));
      const table = await history.routes(query);
      assertStats(table.previous!, requestsOf(before));
      const row = table.routes.find((each) => each.route === route)!;
      assert.deepEqual([row.previous_count, row.previous_p95_ms], [onTwo.length, ofRoute.previous!.p95_ms]);
      const system = await history.system(query);
      assert.deepEqual(system.summary.one!["cpu.ratio"], { mean: 0.6, max: 0.6, last: 0.6 });
      assert.deepEqual(system.previous!.one!["cpu.ratio"], { mean: 0.2, max: 0.2, last: 0.2 });
    });

    it("does not compare with a period without data, nor without a request to do so", async (t) => {
      const past = await createPast(t, engine);
      const history = past.open();
      const route = routeNamed(1);
      const query = { from: start, to: start + 60 };
      history.record(secondOf(start + 10, [finishedRequest({ route })]), []);
      past.clock.advance(60_000);
      for (const compare of [true, false]) {
        const table = await history.routes({ ...query, compare });
        const series = await history.requests({ ...query, compare });
        assert.equal(table.totals.count, 1);
        const system = await history.system({ ...query, compare });
        const none = [table.previous, series.previous, system.previous];
        assert.deepEqual(none, [undefined, undefined, undefined]);
        assert.equal("previous_count" in table.routes[0]!, false);
      }
      history.record(secondOf(start, []), []);
      history.record(secondOf(start + 60, []), []);
      history.record(secondOf(start + 70, [finishedRequest({ route })]), []);
      const next = { from: start + 60, to: start + 120, compare: true };
      const other = { from: start + 120, to: start + 180, compare: true };
      past.clock.advance(60_000);
      assert.equal((await history.routes(next)).routes[0]!.previous_count, 1);
      history.record(secondOf(start + 130, [finishedRequest({ route: routeNamed(2) })]), []);
      past.clock.advance(60_000);
      const [met] = (await history.routes(other)).routes;
      assert.deepEqual([met!.previous_count, met!.previous_p95_ms], [0, undefined]);
    });

    it("does not compare with a period whose beginning is missing", async (t) => {
      const past = await createPast(t, engine);
      const history = past.open();
      const other = past.open("two");
      // The second half of an hour, followed by two full hours.
      for (let time = start + 1_800; time < start + 10_800; time += 10)
        history.record(secondOf(time, [finishedRequest()], { "cpu.ratio": 0.2 }), []);
      other.record(secondOf(start + 6_000, [], { "cpu.ratio": 0.2 }), []);
      await other.flush();
      past.clock.advance(10_800_000);
      const isCompared = async (from: number, to: number, instance?: string) => {
        const query = { from: start + from, to: start + to, compare: true, instance };
        const responses = [
          await history.requests(query),
          await history.routes(query),
          await history.system(query),
        ].map(({ previous }) => previous !== undefined);
        assert.equal(new Set(responses).size, 1, "all three say the same");
        return responses[0];
      };
      assert.equal(await isCompared(3_600, 7_200), false);
      assert.equal(await isCompared(7_200, 10_800), true);
      assert.equal(await isCompared(7_200, 10_800, "two"), false, "the instance came later");
      // Of a period of 1,000 seconds, 40 may be missing, but not 60.
      assert.equal(await isCompared(2_760, 3_760), true);
      assert.equal(await isCompared(2_740, 3_740), false);
    });

    it("summarizes system metrics over a period", async (t) => {
      const past = await createPast(t, engine);
      const history = past.open();
      for (let time = start; time < start + 60; time++) {
        const system = { "cpu.ratio": time < start + 45 ? 0.2 : 0.6, ...(time < start + 30 && { "x.y": 7 }) };
        history.record(secondOf(time, [], system), []);
      }
      past.clock.advance(60_000);
      const query = { from: start, to: start + 60, points: 6 };
      const { summary, previous } = await history.system(query);
      assert.deepEqual(summary, {
        one: { "cpu.ratio": { mean: 0.3, max: 0.6, last: 0.6 }, "x.y": { mean: 7, max: 7, last: 7 } },
      });
      assert.equal(previous, undefined);
    });

    it("deletes expired slots of each level and responds with coarser ones", async (t) => {
      const past = await createPast(t, engine);
      const history = past.open();
      for (let time = start; time < start + 7_200; time += 30) {
        history.record(secondOf(time, [finishedRequest()]), []);
      }
      past.clock.advance(40 * 86_400_000);
      const outcome = await history.maintain();
      assert.ok(outcome.expired > 0);
      const { levels } = await history.size();
      assert.deepEqual(
        levels.map(({ level }) => level),
        [3_600, 86_400],
      );
      const table = await history.routes({ from: start + 100, to: start + 200 });
      assert.deepEqual([table.from, table.to], [start, start + 3_600], "it says what it looked at");
      assert.equal(table.totals.count, 120);
    });

    it("limits its size by deleting the oldest part of the largest level", async (t) => {
      const past = await createPast(t, engine);
      const maxBytes = 300_000;
      const history = past.open("one", { maxBytes });
      const traffic = createTraffic(9);
      for (let time = start; time < start + 8 * 3_600; time += 20) {
        history.record(secondOf(time, traffic(5), { "cpu.ratio": 0.5 }), []);
        past.clock.advance(20_000);
        if ((time - start) % 3_600 > 0) continue;
        await history.flush();
        await until(
          "the size is limited without waiting for the job",
          async () => (await history.size()).bytes,
          (bytes) => bytes <= maxBytes * 1.25,
        );
        await history.maintain();
        assert.ok((await history.size()).bytes <= maxBytes);
      }
      const early = (await history.size()).levels.filter(({ fits_seconds: fits }) => fits !== undefined);
      assert.ok(early.length > 0, "the data that is deleted early is listed");
      for (const { kept_seconds: kept, fits_seconds: fits } of early) assert.ok(fits! < kept);
      const { totals } = await history.routes({ from: start, to: start + 8 * 3_600 });
      assert.ok(totals.count > 500, `${totals.count} are still reported`);
    });

    it("responds while it deletes what a lower limit leaves over", async (t) => {
      const past = await createPast(t, engine);
      const history = past.open();
      const traffic = createTraffic(9);
      for (let time = start; time < start + 7_200; time += 2) history.record(secondOf(time, traffic(1)), []);
      await history.flush();
      const rows = async () => (await history.size()).levels.reduce((sum, level) => sum + level.rows, 0);
      const before = await rows();
      assert.ok(before > 1_500, `${before} rows`);
      let turns = 0;
      let timer = setImmediate(function turn() {
        turns++;
        timer = setImmediate(turn);
      });
      const seen: { done: number; total: number }[] = [];
      const onProgress = (progress: (typeof seen)[number]) => void seen.push(progress);
      await holdSize(past.database, 1, { onProgress }).finally(() => clearImmediate(timer));
      assert.ok(seen.length > 2 && seen[0]!.done < seen[0]!.total);
      assert.equal(seen.at(-1)!.done, seen.at(-1)!.total);
      assert.equal(await rows(), 0);
      // Statements of SQLite alone do not let the event loop turn.
      assert.ok(turns >= 3, `${turns} turns for ${before} rows`);
    });

    it("reads and merges the rows of earlier releases beside its own", async (t) => {
      const past = await createPast(t, engine);
      const history = past.open();
      const traffic = createTraffic(5);
      for (let time = start; time < start + 3_600; time += 4)
        history.record(secondOf(time, traffic(3), { "cpu.ratio": (time % 7) / 7 }), []);
      await history.flush();
      const period = { from: start + 1_200, to: start + 2_400 };
      const ask = async () => ({
        chart: await history.requests({ ...period, points: 20 }),
        one: await history.requests({ ...period, points: 20, route: "GET /things/2" }),
        table: await history.routes(period),
        slowest: await history.slowest(period),
        system: await history.system({ ...period, points: 20 }),
      });
      const recorded = await ask();
      assert.ok(recorded.one.totals.count > 100);
      await rewrite(past.database, { from: start, to: start + 1_500 }, (...slot) => {
        const rows = toReleasedRows(...slot);
        assert.ok(slot[0].level < 60 || rows.length > 1, "several parts");
        return rows;
      });
      await rewrite(past.database, { from: start + 1_500, to: start + 2_000 }, (...slot) => [
        toPackedRow(...slot),
      ]);
      assert.deepEqual(await ask(), recorded);
      past.clock.advance(5 * 3_600_000);
      assert.ok((await history.maintain()).compacted > 0);
      assert.deepEqual(await singleMinutes(past.database), [], "all are in blocks");
      assert.deepEqual(await ask(), recorded);
      const whole = await history.routes({ from: start, to: start + 3_600 });
      assert.equal(whole.totals.count, 2_700);
      assert.equal(whole.routes.length, 3);
    });

    it("counts a minute once that is written again after it was packed", async (t) => {
      const past = await createPast(t, engine);
      const [one, two] = [past.open("one"), past.open("two")];
      const record = (from: number, to: number) => {
        for (let time = from; time < to; time++)
          one.record(secondOf(time, [finishedRequest({ route: routeNamed(1) })], { "cpu.ratio": 0.5 }), []);
      };
      record(start + 1_200, start + 1_290);
      await one.flush();
      past.clock.advance(3 * 3_600_000);
      await two.maintain();
      assert.deepEqual(await singleMinutes(past.database), []);
      // As after an outage of the database: the rest of the minute, and another one.
      record(start + 1_290, start + 1_380);
      await one.flush();
      assert.deepEqual(await singleMinutes(past.database), [start + 1_260, start + 1_320]);
      const period = { from: start, to: start + 3_600, points: 60 };
      const ask = async () => {
        const [all, single] = [
          await two.requests(period),
          await two.requests({ ...period, route: "GET /things/1" }),
        ];
        assert.deepEqual(all.totals, single.totals);
        const { totals } = await two.routes({ from: start + 1_260, to: start + 1_320 });
        const system = await two.system(period);
        return [all.points.map(({ count }) => count).slice(19, 24), totals.count, system.summary];
      };
      const counts = [0, 60, 60, 60, 0];
      const summary = { one: { "cpu.ratio": { mean: 0.5, max: 0.5, last: 0.5 } } };
      assert.deepEqual(await ask(), [counts, 60, summary]);
      await two.maintain();
      assert.deepEqual(await singleMinutes(past.database), []);
      assert.deepEqual(await ask(), [counts, 60, summary]);
      assert.equal((await two.routes({ from: start, to: start + 3_600 })).totals.count, 180);
    });

    it("merges and deletes nothing of a block that it cannot read", async (t) => {
      const past = await createPast(t, engine);
      const history = past.open();
      for (let time = start; time < start + 3_600; time += 60)
        history.record(secondOf(time, [finishedRequest()]), []);
      await history.flush();
      past.clock.advance(3 * 3_600_000);
      await history.maintain();
      const tables = past.database.tables<MetricTables>();
      const stored = () =>
        tables
          .selectFrom("annex_metric_slots")
          .selectAll()
          .orderBy("level")
          .orderBy("time")
          .orderBy("part")
          .execute();
      const groups = tables.updateTable("annex_metric_slots").where("part", ">=", 16);
      await groups
        .set({ routes: Buffer.from([...Array.from({ length: 12 }, () => 0), 1, 0xff, 0x7f, 1, 99]) })
        .execute();
      // Late data, so that the hour must be created again.
      const late = past.open("late");
      late.record(secondOf(start + 60, [finishedRequest()]), []);
      await late.flush();
      const before = await stored();
      await assert.rejects(history.maintain(), /Unknown compression/);
      assert.deepEqual(await stored(), before);
    });

    it("counts both minutes when the clock is set back", async (t) => {
      const past = await createPast(t, engine);
      const history = past.open();
      for (let time = start; time < start + 60; time++) {
        history.record(secondOf(time, [finishedRequest()]), []);
        if (time === start + 30) await history.flush();
      }
      for (let time = start; time < start + 60; time++)
        history.record(secondOf(time, [finishedRequest()]), []);
      past.clock.advance(60_000);
      const { totals } = await history.routes({ from: start, to: start + 60 });
      assert.equal(totals.count, 120);
    });

    it("loses nothing while the database cannot be written", async (t) => {
      const past = await createPast(t, engine);
      const tables = past.database.tables<MetricTables>();
      const history = past.open();
      await tables.schema.alterTable("annex_metric_slots").renameTo("elsewhere").execute();
      for (let time = start; time < start + 20; time++) {
        history.record(secondOf(time, [finishedRequest()]), []);
        past.clock.advance(1_000);
        await history.flush();
      }
      assert.ok(history.problems.at(-1));
      await (tables as unknown as typeof tables).schema
        .alterTable("elsewhere")
        .renameTo("annex_metric_slots")
        .execute();
      const { totals } = await history.routes({ from: start, to: start + 20 });
      assert.equal(totals.count, 20);
      assert.equal(history.problems.at(-1), undefined);
    });
  });
}

describe("what a killed process has stored", () => {
  for (const { engine, ms } of [
    { engine: "sqlite", ms: 100 },
    { engine: "postgres", ms: 5_000 },
  ] as const) {
    it(`${engine}: each second, after ${ms} ms`, async (t) => {
      const { database, clock, open } = await createPast(t, engine);
      const history = open();
      const { mock } = t.mock.method(history, "flush");
      history.record(secondOf(start, createTraffic(1)(10)), []);
      const count = async () =>
        (await database.tables<MetricTables>().selectFrom("annex_metric_slots").select("time").execute())
          .length;
      clock.advance(ms - 1);
      assert.equal(mock.callCount(), 0);
      clock.advance(1);
      await until("the second is stored", count);
    });
  }
});
