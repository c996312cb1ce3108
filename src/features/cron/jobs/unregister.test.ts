import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { collectGarbage } from "../../../lib/node/collect-garbage.ts";
import { until } from "../../../lib/testing/until.ts";
import type { CronTables } from "../tables.ts";
import { createLatch, createTestManager } from "../testing/test-manager.ts";
import { parseJob } from "./job.ts";
import { Scheduler } from "./scheduler.ts";

const unknown = { code: "JOB_UNKNOWN", status: 404 };

describe("jobs that come and go", () => {
  it("are unregistered in code, and exist again when they are registered again", async (t) => {
    const { manager, clock, register, readRuns } = await createTestManager(t);
    register("order-1", "* * * * *", async () => {});
    await manager.start();
    manager.unregisterJob("order-1");
    assert.deepEqual(await manager.list({ removed: true }), []);
    await assert.rejects(manager.find("order-1"), unknown);
    await assert.rejects(manager.run("order-1"), unknown);
    await clock.advance(5 * 60_000);
    assert.deepEqual(await readRuns(), []);
    register("order-1", "* * * * *", async () => {});
    assert.equal((await manager.find("order-1")).isRemoved, false);
    await manager.run("order-1");
    assert.equal((await readRuns()).length, 1);
  });

  it("are refused if they are unknown or belong to the system", async (t) => {
    const { manager } = await createTestManager(t);
    manager.registerSystemJob({
      ...{ id: "__svcX__", name: "System", description: "", schedule: "0 4 * * *" },
      run: async () => {},
    });
    assert.throws(() => manager.unregisterJob("nothing"), unknown);
    assert.throws(() => manager.unregisterJob("__svcX__"), { code: "JOB_IS_SYSTEM", status: 403 });
  });

  it("keep a run in progress, and their removal", async (t) => {
    const { manager, register, readRuns } = await createTestManager(t);
    const latch = createLatch();
    register("order-1", "0 4 * * *", latch.run);
    register("order-2", "0 4 * * *", async () => {});
    await manager.start();
    await manager.run("order-1");
    await until(
      "the run has begun",
      async () => latch.count,
      (count) => count === 1,
    );
    manager.unregisterJob("order-1");
    latch.release();
    const [run] = await until("the run ends", readRuns, ([run]) => run?.status === "success");
    assert.equal(run!.jobId, "order-1");
    await manager.remove("order-2");
    manager.unregisterJob("order-2");
    register("order-2", "0 4 * * *", async () => {});
    await assert.rejects(manager.find("order-2"), unknown);
  });

  it("have missed no tick while they were not registered", async (t) => {
    const { manager, database, clock, register } = await createTestManager(t);
    register("order-1", "0 4 * * *", async () => {});
    await manager.start();
    const plannedSince = async () => {
      const jobs = database.tables<CronTables>().selectFrom("annex_cron_jobs");
      return (await jobs.select("planned_since").where("job_id", "=", "order-1").executeTakeFirst())
        ?.planned_since;
    };
    assert.equal(await plannedSince(), clock.now());
    manager.unregisterJob("order-1");
    await until("the plan is forgotten", plannedSince, (since) => since === null);
    await clock.advance(48 * 3_600_000);
    register("order-1", "0 4 * * *", async () => {});
    await until("the plan is known", plannedSince, (since) => since === clock.now());
  });

  it("leave nothing in memory", async (t) => {
    const { manager, register } = await createTestManager(t);
    await manager.start();
    const functions: WeakRef<() => Promise<void>>[] = [];
    for (let index = 0; index < 500; index++) {
      const run = async () => void index;
      functions.push(new WeakRef(run));
      register(`order-${index}`, "0 4 * * *", run);
    }
    await manager.list();
    for (let index = 0; index < 500; index++) manager.unregisterJob(`order-${index}`);
    await until(
      "the functions are collected",
      async () => {
        collectGarbage();
        return functions.filter((ref) => ref.deref() !== undefined).length;
      },
      (count) => count <= 1,
    );
  });

  it("are removed at the same cost, however many were removed before", (t) => {
    const clock = { now: () => 0, elapsed: () => 0, after: () => () => {} };
    const scheduler = new Scheduler({ clock, timezone: "UTC", onDue() {} });
    const ids = Array.from({ length: 20_000 }, (_, index) => `order-${index}`);
    scheduler.switch({ paused: new Set(), removed: new Set(ids) });
    const parts = { id: "one", name: "One", description: "", schedule: "0 4 * * *", run: async () => {} };
    scheduler.add(parseJob(parts));
    // A set that is copied adds every value.
    const added = t.mock.method(Set.prototype, "add");
    const compared = t.mock.method(Set.prototype, "symmetricDifference");
    scheduler.turn("removed", "one", true);
    const counts = [added.mock.callCount(), compared.mock.callCount()];
    t.mock.restoreAll();
    assert.deepEqual(counts, [1, 0]);
    assert.ok(scheduler.isRemoved("one"));
    assert.equal(scheduler.nextOf("one"), undefined);
  });
});
