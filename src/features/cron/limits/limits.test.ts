import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { settle } from "../../../lib/testing/fake-clock.ts";
import { eventually, until } from "../../../lib/testing/until.ts";
import { engines } from "../../../storage/testing/test-database.ts";
import type { JobOptions } from "../jobs/job.ts";
import { createLatch, createTestManager, type TestManagerOptions } from "../testing/test-manager.ts";
import type { Limits } from "./limits.ts";

const second = 1_000;
const minute = 60 * second;

const atMost = (concurrency: number | undefined, groups: Limits["groups"] = {}): Limits => ({
  concurrency,
  groups,
});

async function startManager(t: TestContext, options: TestManagerOptions) {
  const test = await createTestManager(t, options);
  await test.manager.start();
  return test;
}

type Test = Awaited<ReturnType<typeof startManager>>;

/** Lets time pass until the condition is true. The database may be slow, and waiting ticks are tried every second. */
async function pass({ clock }: Pick<Test, "clock">, awaited: string, isSo: () => boolean | Promise<boolean>) {
  await until(awaited, async () => {
    if (await isSo()) return true;
    clock.advance(second);
    await settle(20);
    return false;
  });
}

/** A job function that counts how many run at the same time. */
function createGauge() {
  const ends: (() => void)[] = [];
  const gauge = {
    running: 0,
    most: 0,
    ticks: [] as string[],
    run: async ({ scheduledAt, runId }: { scheduledAt: Date; runId: string }) => {
      gauge.ticks.push(`${scheduledAt.toISOString()} ${runId}`);
      gauge.most = Math.max(gauge.most, ++gauge.running);
      await new Promise<void>((resolve) => ends.push(resolve));
      gauge.running--;
    },
    endAll: () => {
      for (const end of ends.splice(0)) end();
    },
  };
  return gauge;
}

for (const engine of engines) {
  describe(`limits of concurrent runs on ${engine}`, () => {
    it("starts at most `concurrency` runs, and the others when there is room", async (t) => {
      const test = await startManager(t, { engine, limits: atMost(3) });
      const gauge = createGauge();
      for (let index = 0; index < 10; index++) test.register(`job${index}`, "0 11 * * *", gauge.run);
      test.clock.advance(minute * 60);
      await eventually(() => gauge.running === 3);
      const waiting = async () =>
        (await test.manager.list()).reduce((sum, job) => sum + (job.waiting ?? 0), 0);
      await until("seven ticks wait", waiting, (count) => count === 7);
      await pass(test, "all have run", () => {
        gauge.endAll();
        return gauge.ticks.length === 10 && gauge.running === 0;
      });
      assert.equal(gauge.most, 3);
      await until("none wait", waiting, (count) => count === 0);
      const runs = await test.readRuns();
      assert.equal(new Set(runs.map(({ jobId }) => jobId)).size, 10);
      assert.equal(runs.length, 10);
      assert.ok(runs.every(({ scheduledAt }) => scheduledAt.toISOString() === "2026-03-02T11:00:00.000Z"));
      assert.ok(
        test.records.some(
          ({ message }) => message === "Due jobs wait: a limit of concurrent runs is reached",
        ),
      );
    });

    it("limits a group and not the others", async (t) => {
      const test = await startManager(t, { engine, limits: atMost(undefined, { exports: 2 }) });
      const [exports, others] = [createGauge(), createGauge()];
      for (let index = 0; index < 5; index++) {
        test.register(`export${index}`, "* * * * *", exports.run, { group: "exports" });
        test.register(`other${index}`, "* * * * *", others.run);
      }
      test.clock.advance(minute / 2);
      await eventually(() => exports.running === 2 && others.running === 5);
      const full = { code: "JOB_GROUP_FULL", status: 409, message: /"exports" already has 2 runs/ };
      const { items } = await test.manager.logs({ status: "running", perPage: 100 });
      const idle = ["export0", "export1", "export2", "export3", "export4"].find(
        (id) => !items.some(({ jobId }) => jobId === id),
      );
      await assert.rejects(test.manager.run(idle!), full);
      await test.clock.elapse(5 * second);
      const logged = test.records.filter(({ message }) => message.startsWith("Due jobs wait"));
      assert.equal(logged.length, 1, "once, and not at each attempt");
      await pass(test, "all have run", () => {
        exports.endAll();
        others.endAll();
        return exports.ticks.length >= 5 && others.ticks.length >= 5;
      });
      assert.equal(exports.most, 2);
    });

    it("runs a waiting tick once, even with overlap skip and a later tick", async (t) => {
      const test = await startManager(t, { engine, limits: atMost(1) });
      const slow = createLatch();
      const ticks: string[] = [];
      test.register("slow", "1 10 * * *", slow.run);
      test.clock.advance(minute / 2);
      await eventually(() => slow.count === 1);
      test.register("job", "* * * * *", ({ scheduledAt }) =>
        ticks.push(scheduledAt.toISOString().slice(11, 16)),
      );
      for (let count = 0; count < 3; count++) {
        test.clock.advance(minute);
        await until(
          "the tick waits",
          async () => (await test.manager.find("job")).waiting,
          (n) => n === 1,
        );
      }
      assert.deepEqual(ticks, []);
      slow.release();
      await pass(test, "the tick runs", () => ticks.length > 0);
      assert.equal(ticks[0], "10:02");
      assert.ok(test.manager.fleetIssues().length === 0);
    });

    it("skips a tick that is due while its job runs, even if there is no room either", async (t) => {
      const test = await startManager(t, { engine, limits: atMost(1, { one: 1 }) });
      const latch = createLatch();
      test.register("job", "* * * * *", latch.run, { group: "one" });
      test.clock.advance(minute / 2);
      await eventually(() => latch.count === 1);
      test.clock.advance(minute);
      const skipped = 'Skipped job "job": previous run in progress';
      await eventually(() => test.records.some(({ message }) => message === skipped));
      latch.release();
      await eventually(async () => (await test.readRuns())[0]?.status === "success");
      await test.clock.elapse(5 * second);
      assert.equal(latch.count, 1);
    });

    it("starts waiting ticks in the order in which they were due", async (t) => {
      const test = await startManager(t, { engine, limits: atMost(1) });
      const latch = createLatch();
      const order: string[] = [];
      test.register("slow", "1 10 * * *", latch.run);
      test.clock.advance(minute / 2);
      await eventually(() => latch.count === 1);
      for (const [id, time] of [
        ["third", "4"],
        ["first", "2"],
        ["second", "3"],
      ])
        test.register(id!, `${time} 10 * * *`, () => order.push(id!));
      for (const id of ["first", "second", "third"]) {
        test.clock.advance(minute);
        await until(
          "it waits",
          async () => (await test.manager.find(id)).waiting,
          (count) => count === 1,
        );
      }
      const [issue] = test.manager.fleetIssues();
      assert.equal(issue?.status, "degraded");
      assert.match(
        issue!.message,
        /^3 due runs wait because of cron\.concurrency or cron\.groups, the oldest for 2 m/,
      );
      latch.release();
      await pass(test, "all have run", () => order.length === 3);
      assert.deepEqual(order, ["first", "second", "third"]);
    });

    it("queues every tick of a job with overlap queue", async (t) => {
      const test = await startManager(t, { engine, limits: atMost(1) });
      const latch = createLatch();
      const ticks: string[] = [];
      test.register("slow", "1 10 * * *", latch.run);
      test.clock.advance(minute / 2);
      await eventually(() => latch.count === 1);
      const run: Parameters<typeof test.register>[2] = ({ scheduledAt }) =>
        ticks.push(scheduledAt.toISOString().slice(11, 16));
      test.register("job", "2-4 10 * * *", run, { overlap: "queue" });
      for (let count = 1; count <= 3; count++) {
        test.clock.advance(minute);
        await until(
          "they wait",
          async () => (await test.manager.find("job")).waiting,
          (n) => n === count,
        );
      }
      latch.release();
      await pass(test, "all have run", () => ticks.length === 3);
      assert.deepEqual(ticks, ["10:02", "10:03", "10:04"]);
    });

    it("refuses a manual run without room", async (t) => {
      const test = await startManager(t, { engine, limits: atMost(1) });
      const latch = createLatch();
      test.register("slow", "1 10 * * *", latch.run);
      test.register("other", "1 11 * * *", () => {});
      await test.manager.run("slow");
      await assert.rejects(test.manager.run("other"), { code: "INSTANCE_FULL", status: 503 });
      await eventually(() => latch.count === 1);
      latch.release();
      const run = () => test.manager.run("other").catch(({ code }) => code);
      await until("there is room", run, (result) => result !== "INSTANCE_FULL");
      assert.ok((await test.readRuns()).some(({ jobId }) => jobId === "other"));
    });

    it("drops the waiting ticks of a paused job", async (t) => {
      const test = await startManager(t, { engine, limits: atMost(1) });
      const latch = createLatch();
      let count = 0;
      test.register("slow", "1 10 * * *", latch.run);
      test.clock.advance(minute / 2);
      await eventually(() => latch.count === 1);
      test.register("job", "2 10 * * *", () => count++);
      test.clock.advance(minute);
      await until(
        "it waits",
        async () => (await test.manager.find("job")).waiting,
        (n) => n === 1,
      );
      await test.manager.pause("job");
      assert.equal((await test.manager.find("job")).waiting, undefined);
      latch.release();
      await eventually(async () => (await test.readRuns())[0]?.status === "success");
      await test.clock.elapse(3 * second);
      assert.equal(count, 0);
    });

    it("catches up a tick that waited at the last shutdown", async (t) => {
      const first = await startManager(t, { engine, limits: atMost(1) });
      const latch = createLatch();
      first.register("slow", "1 10 * * *", latch.run);
      first.clock.advance(minute / 2);
      await eventually(() => latch.count === 1);
      first.register("job", "2 10 * * *", () => assert.fail("it has no room"), { catchUp: "once" });
      await until("it is stored", async () => (await first.manager.open()).jobs.find("job"));
      first.clock.advance(minute);
      await until(
        "it waits",
        async () => (await first.manager.find("job")).waiting,
        (n) => n === 1,
      );
      await first.clock.elapse(20 * second);
      await first.manager.stop(0);
      const { clock, database } = first;
      const next = await createTestManager(t, { clock, database, limits: atMost(1) });
      const ticks: string[] = [];
      next.register("job", "2 10 * * *", ({ scheduledAt }) => ticks.push(scheduledAt.toISOString()), {
        catchUp: "once",
      });
      await next.manager.start();
      await eventually(() => ticks.length === 1);
      assert.deepEqual(ticks, ["2026-03-02T10:02:00.000Z"]);
    });

    it("refuses a group without a limit", async (t) => {
      const { register } = await createTestManager(t, { engine, limits: atMost(undefined, { exports: 2 }) });
      assert.throws(() => register("job", "* * * * *", () => {}, { group: "exprots" }), {
        code: "INVALID_JOB",
        message: /the group "exprots" has no limit; set it with cron: \{ groups: \{ "exprots": 2 \} \}/,
      });
      const options = { group: 5 } as unknown as JobOptions;
      assert.throws(() => register("job", "* * * * *", () => {}, options), {
        message: /group must be a string/,
      });
    });
  });
}

describe("limits in a fleet", () => {
  async function startFleet(t: TestContext, size: number, limits: Limits) {
    const first = await createTestManager(t, { engine: "postgres", limits, instance: "one" });
    const { database, clock } = first;
    const others = await Promise.all(
      Array.from({ length: size - 1 }, (_, index) =>
        createTestManager(t, { database, clock, limits, instance: `other ${index}` }),
      ),
    );
    return { fleet: [first, ...others], ...first };
  }

  it("never exceeds the limit of a group, and loses no tick", async (t) => {
    const test = await startFleet(t, 2, atMost(undefined, { exports: 3, mail: 1 }));
    const gauges = { exports: createGauge(), mail: createGauge() };
    for (const { register, manager } of test.fleet) {
      for (let index = 0; index < 30; index++) {
        const group = index % 3 === 0 ? "mail" : "exports";
        register(`job${index}`, "5 10 * * *", gauges[group].run, { group });
      }
      await manager.start();
    }
    // Each knows of the others after its next round.
    await test.clock.elapse(4 * second);
    test.clock.advance(5 * minute);
    await pass(test, "all have run", () => {
      gauges.exports.endAll();
      gauges.mail.endAll();
      return gauges.exports.ticks.length + gauges.mail.ticks.length >= 30;
    });
    gauges.exports.endAll();
    gauges.mail.endAll();
    await pass(test, "all have ended", async () => {
      gauges.exports.endAll();
      gauges.mail.endAll();
      return (await test.readRuns()).every(({ status }) => status === "success");
    });
    const runs = await test.readRuns();
    assert.equal(runs.length, 30);
    assert.equal(new Set(runs.map(({ jobId }) => jobId)).size, 30);
    assert.equal(gauges.exports.most, 3);
    assert.equal(gauges.mail.most, 1);
    for (const { manager } of test.fleet)
      await pass(test, "none wait", async () => (await manager.list()).every(({ waiting }) => !waiting));
  });

  it("leaves ticks without room to other instances", async (t) => {
    const test = await startFleet(t, 2, atMost(5));
    const gauge = createGauge();
    for (const { register, manager } of test.fleet) {
      for (let index = 0; index < 10; index++) register(`job${index}`, "5 10 * * *", gauge.run);
      await manager.start();
    }
    await test.clock.elapse(4 * second);
    test.clock.advance(5 * minute);
    await pass(test, "all run", () => gauge.running === 10);
    const runs = await test.readRuns();
    const counts = Map.groupBy(runs, ({ instance }) => instance);
    assert.deepEqual(
      [...counts.values()].map(({ length }) => length),
      [5, 5],
    );
    gauge.endAll();
    await eventually(async () => (await test.readRuns()).every(({ status }) => status === "success"));
  });

  /** 500 jobs that are due at the same time, every tenth of them an export. */
  async function startBusyFleet(t: TestContext, limits: Limits) {
    const test = await startFleet(t, 5, limits);
    const gauges = { others: createGauge(), exports: createGauge() };
    for (const { register, manager } of test.fleet) {
      for (let index = 0; index < 500; index++) {
        if (index % 10 === 0)
          register(`job${index}`, "30 11 * * *", gauges.exports.run, { group: "exports" });
        else register(`job${index}`, "30 11 * * *", gauges.others.run);
      }
      await manager.start();
    }
    const openings = await Promise.all(test.fleet.map(({ manager }) => manager.open()));
    await pass(test, "each knows of the others", () =>
      openings.every(({ recovery }) => recovery.instanceCount === 5),
    );
    test.clock.advance(90 * minute);
    // Instances pause between two slices, even during a shutdown, which this cleanup follows.
    const timer = setInterval(() => test.clock.advance(20), 5);
    t.after(() => clearInterval(timer));
    return { ...test, gauges };
  }

  async function countByJobAndInstance({ manager }: Pick<Test, "manager">) {
    const pages = [1, 2, 3, 4, 5, 6].map((page) => manager.logs({ perPage: 100, page, sort: "id" }));
    const runs = (await Promise.all(pages)).flatMap(({ items }) => items);
    const counts = [...Map.groupBy(runs, ({ instance }) => instance).values()].map(({ length }) => length);
    return { runs: runs.length, jobs: new Set(runs.map(({ jobId }) => jobId)).size, counts };
  }

  it("runs 500 due jobs once, within the limits of five instances and a group", async (t) => {
    const test = await startBusyFleet(t, atMost(10, { exports: 7 }));
    const { others, exports } = test.gauges;
    const store = (await test.manager.open()).runs;
    let most = 0;
    await pass(test, "all have run", async () => {
      const running = await store.running();
      const counts = [...Map.groupBy(running, ({ instance }) => instance).values()];
      most = Math.max(most, ...counts.map(({ length }) => length));
      others.endAll();
      exports.endAll();
      return others.ticks.length + exports.ticks.length >= 500 && running.length === 0;
    });
    const { runs, jobs, counts } = await countByJobAndInstance(test);
    assert.deepEqual([runs, jobs, counts.length], [500, 500, 5]);
    assert.ok(exports.most > 1 && exports.most <= 7, `${exports.most} exports`);
    assert.ok(most > 1 && most <= 10, `${most} on one instance`);
  });

  it("gives the place of a dead instance to others", async (t) => {
    const test = await startFleet(t, 2, atMost(undefined, { exports: 1 }));
    const [one, other] = [test.fleet[0]!, test.fleet[1]!];
    let count = 0;
    one.register("stuck", "0 12 * * *", () => new Promise(() => {}), { group: "exports" });
    other.register("job", "1 10 * * *", () => count++, { group: "exports" });
    await one.manager.start();
    await one.manager.run("stuck");
    await other.manager.start();
    test.clock.advance(minute / 2);
    await until(
      "it waits",
      async () => (await other.manager.find("job")).waiting,
      (n) => n === 1,
    );
    assert.equal(count, 0);
    one.fence(true);
    await one.expire();
    await pass(test, "the place is free", () => count === 1);
  });
});
