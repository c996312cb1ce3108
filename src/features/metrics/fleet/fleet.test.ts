import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock } from "../../../lib/testing/fake-clock.ts";
import { engines, openTestDatabase } from "../../../storage/testing/test-database.ts";
import { createEpoch } from "../fleet-view.ts";
import { purgeInstances, purgeRecent } from "../history/retention.ts";
import { type MetricTables, metricMigrations } from "../history/tables.ts";
import type { RecentRequest } from "../requests/recent-requests.ts";
import type { InstanceStatus } from "../wire.ts";
import { FleetRequests } from "./fleet-requests.ts";
import { InstanceStore } from "./instance-store.ts";
import { formatMarks, nothingRead, parseMarks } from "./recent-marks.ts";
import { RecentPages } from "./recent-pages.ts";

const start = Date.parse("2026-11-15T12:00:00Z");

function requestNumbered(number: number, changes: Partial<RecentRequest> = {}): RecentRequest {
  return {
    number,
    startedAt: start + number * 10,
    time: start + number * 10 + 5,
    traceId: `t${number}`,
    method: "GET",
    path: `/things/${number}`,
    route: "/things/{id}",
    statusCode: 200,
    durationMs: 5,
    bytesIn: 0,
    bytesOut: 100,
    ip: "203.0.113.9",
    userAgent: "test/1",
    ...changes,
  };
}

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => requestNumbered(from + index));

const everything = { after: new Map(), filter: {}, limit: 10_000 };

for (const engine of engines) {
  describe(`the recent requests of a fleet on ${engine}`, () => {
    it("are those of the other processes, newest first, and each client gets them once", async (t) => {
      const database = await openTestDatabase(t, engine, metricMigrations);
      const clock = new FakeClock(start);
      const [one, two] = [
        new RecentPages({ instance: "one", epoch: "a" }),
        new RecentPages({ instance: "two", epoch: "b" }),
      ];
      const reader = new FleetRequests(database, clock, { instance: "one", epoch: "a" });
      t.after(() => reader.close());
      one.add([requestNumbered(1)]);
      two.add([requestNumbered(2), requestNumbered(3, { statusCode: 500 })]);
      await one.write(database);
      await two.write(database);
      const first = await reader.find(everything);
      assert.deepEqual(
        first.requests.map(({ instance, number }) => [instance, number]),
        [
          ["two", 3],
          ["two", 2],
        ],
      );
      assert.deepEqual(first.requests[1], { ...requestNumbered(2), instance: "two" });
      const failed = await reader.find({ ...everything, filter: { status: "5xx" } });
      assert.deepEqual(
        failed.requests.map(({ number }) => number),
        [3],
      );
      assert.deepEqual((await reader.find({ ...everything, instance: "one" })).requests, []);
      two.add([requestNumbered(4)]);
      await two.write(database);
      clock.advance(2_000);
      const next = await reader.find({ ...everything, after: first.marks });
      assert.deepEqual(
        next.requests.map(({ number }) => number),
        [4],
      );
      assert.deepEqual((await reader.find({ ...everything, after: next.marks })).requests, []);
    });

    it("of an earlier process of the same instance are shown until they are overwritten", async (t) => {
      const database = await openTestDatabase(t, engine, metricMigrations);
      const before = new RecentPages({ instance: "one", epoch: "a" });
      before.add(numbered(1, 150));
      await before.write(database);
      const own = { instance: "one", epoch: "b" };
      const reader = new FleetRequests(database, new FakeClock(start), own);
      t.after(() => reader.close());
      const later = new RecentPages(own);
      later.add([requestNumbered(1)]);
      await later.write(database);
      const { requests } = await reader.find(everything);
      assert.deepEqual([requests.length, requests[0]!.number], [50, 150]);
      const after = new Map([["b", 1]]);
      assert.deepEqual((await reader.find({ ...everything, after })).requests, []);
    });

    it("are read at most every two seconds, from the end of the previous read", async (t) => {
      const database = await openTestDatabase(t, engine, metricMigrations);
      const clock = new FakeClock(start);
      const reader = new FleetRequests(database, clock, { instance: "one", epoch: "a" });
      t.after(() => reader.close());
      const pages = ["two", "three"].map((instance) => new RecentPages({ instance, epoch: instance }));
      const write = async (number: number) => {
        for (const each of pages) {
          each.add([requestNumbered(number)]);
          await each.write(database);
        }
      };
      await write(1);
      const finding = reader.find(everything);
      clock.advance(2_000);
      assert.equal((await finding).requests.length, 2);
      await write(2);
      assert.equal((await reader.find(everything)).requests.length, 2);
      clock.advance(2_000);
      assert.equal((await reader.find(everything)).requests.length, 4);
    });

    it("of an instance that is idle need no mark, and are not repeated", async (t) => {
      const database = await openTestDatabase(t, engine, metricMigrations);
      const clock = new FakeClock(start);
      const pages = new RecentPages({ instance: "two", epoch: "b" });
      const reader = new FleetRequests(database, clock, { instance: "one", epoch: "a" });
      t.after(() => reader.close());
      pages.add([requestNumbered(1)]);
      await pages.write(database);
      assert.deepEqual((await reader.find(everything)).marks, new Map([["b", 1]]));
      clock.advance(11 * 60_000);
      const idle = await reader.find(everything);
      assert.deepEqual([idle.requests.length, idle.marks.size], [1, 0]);
      const after = new Map([["a", 5]]);
      assert.deepEqual((await reader.find({ ...everything, after })).requests, []);
      const unread = await reader.find({ ...everything, after: new Map([...after, ...nothingRead]) });
      assert.equal(unread.requests.length, 1);
      pages.add([requestNumbered(2, { time: clock.now() })]);
      await pages.write(database);
      clock.advance(2_000);
      const next = await reader.find({ ...everything, after });
      assert.deepEqual(
        next.requests.map(({ number }) => number),
        [2],
      );
      assert.deepEqual(next.marks, new Map([["b", 2]]));
    });

    it("are stored for an hour", async (t) => {
      const database = await openTestDatabase(t, engine, metricMigrations);
      const pages = new RecentPages({ instance: "two", epoch: "a" });
      const hourMs = 3_600_000;
      pages.add([requestNumbered(1), requestNumbered(2, { time: start + 1.5 * hourMs })]);
      await pages.write(database);
      const find = async (now = start) => {
        const reader = new FleetRequests(database, new FakeClock(now), { instance: "one", epoch: "a" });
        const { requests } = await reader.find(everything);
        reader.close();
        return requests.map(({ number }) => number);
      };
      assert.deepEqual(await find(), [2]);
      await purgeRecent(database, start / 1_000 + 2 * 3_600);
      assert.deepEqual(await find(), [2]);
      // It is not shown any more, even if it has not been deleted yet.
      assert.deepEqual(await find(start + 2.5 * hourMs), []);
      await purgeRecent(database, start / 1_000 + 3 * 3_600);
      assert.deepEqual(await find(), []);
    });

    it("take a fixed number of rows", async (t) => {
      const database = await openTestDatabase(t, engine, metricMigrations);
      const pages = new RecentPages({ instance: "two", epoch: "a" });
      for (let from = 1; from <= 3_000; from += 500) {
        pages.add(numbered(from, from + 499));
        await pages.write(database);
      }
      const reader = new FleetRequests(database, new FakeClock(start), { instance: "one", epoch: "a" });
      t.after(() => reader.close());
      const { requests } = await reader.find(everything);
      assert.deepEqual(
        [requests.length, requests[0]!.number, requests.at(-1)!.number],
        [1_000, 3_000, 2_001],
      );
    });
  });

  describe(`stored instances on ${engine}`, () => {
    it("have a status that is written once, and are marked when they stop and start again", async (t) => {
      const database = await openTestDatabase(t, engine, metricMigrations);
      const clock = new FakeClock(start);
      const create = (instance: string) =>
        new InstanceStore({ database, clock, instance, description: { pid: 1 } });
      const [one, two] = [create("one"), create("two")];
      const status = { run_count: 2 } as InstanceStatus;
      one.beat(status);
      assert.ok(one.isWaiting);
      await one.write();
      assert.ok(!one.isWaiting);
      await two.write();
      const find = async (name: string) => (await two.list()).find(({ instance }) => instance === name)!;
      assert.deepEqual((await find("one")).status, status);
      assert.equal((await find("two")).status, undefined);
      assert.ok((await find("one")).beatAgeMs < 60_000);
      one.leave();
      await one.write();
      const { isStopped, status: last } = await find("one");
      assert.deepEqual([isStopped, last], [true, undefined]);
      await create("one").write();
      assert.equal((await find("one")).isStopped, false);
    });

    it("are marked as stopped if they stop while their status is written", async (t) => {
      const database = await openTestDatabase(t, engine, metricMigrations);
      const clock = new FakeClock(start);
      const store = new InstanceStore({ database, clock, instance: "one", description: {} });
      store.beat({ run_count: 0 } as InstanceStatus);
      const writing = store.write();
      store.leave();
      await writing;
      assert.ok(store.isWaiting);
      await store.write();
      assert.equal((await store.list())[0]!.isStopped, true);
      assert.ok(!store.isWaiting);
    });

    it("lose their status an hour after their last heartbeat", async (t) => {
      const database = await openTestDatabase(t, engine, metricMigrations);
      const clock = new FakeClock(start);
      const store = new InstanceStore({ database, clock, instance: "one", description: {} });
      store.beat({ run_count: 0 } as InstanceStatus);
      await store.write();
      await purgeInstances(database, start / 1_000 + 3_599);
      assert.ok((await store.list())[0]!.status);
      await purgeInstances(database, start / 1_000 + 3_601);
      assert.deepEqual(
        (await store.list()).map(({ instance, status }) => [instance, status]),
        [["one", undefined]],
      );
    });

    it("are written again after a failure", async (t) => {
      const database = await openTestDatabase(t, engine, metricMigrations);
      const store = new InstanceStore({
        ...{ database, clock: new FakeClock(start), instance: "one", description: {} },
      });
      const { schema } = database.tables<MetricTables>();
      await schema.alterTable("annex_metric_instances").renameTo("elsewhere").execute();
      store.leave();
      await assert.rejects(store.write());
      assert.ok(store.isWaiting);
      await schema.alterTable("elsewhere").renameTo("annex_metric_instances").execute();
      assert.equal((await store.list())[0]!.isStopped, true);
    });
  });
}

describe("a cursor over the requests of several instances", () => {
  it("is read by every instance, and any other text is refused", () => {
    const marks = new Map([
      ["0mb2k1x9qabcd", 17],
      ["0mb2k1xa0efgh", 1_000_000],
    ]);
    assert.deepEqual(parseMarks(formatMarks(marks)), marks);
    for (const text of ["nonsense", "", "a.", ".1", "a.1.b", "a.1.", "a.-1", "A.1", "a.zzzzzzzzzzzzzzz"])
      assert.equal(parseMarks(text), undefined, text);
  });

  it("fits into a URL with many instances", () => {
    const marks = Array.from({ length: 200 }, (_, index) => [createEpoch(), 1_000_000 + index] as const);
    const text = formatMarks(new Map(marks));
    assert.equal(encodeURIComponent(text), text);
    assert.ok(text.length < 4_000, `${text.length} characters`);
  });
});
