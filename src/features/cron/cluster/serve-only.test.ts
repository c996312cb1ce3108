import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { eventually, until } from "../../../lib/testing/until.ts";
import { engines } from "../../../storage/testing/test-database.ts";
import { createTestManager } from "../testing/test-manager.ts";

const second = 1_000;
const minute = 60 * second;

for (const engine of engines) {
  describe(`an instance that only serves on ${engine}`, () => {
    it("shows jobs and changes them, but runs none", async (t) => {
      const { manager, register, clock, readRuns } = await createTestManager(t, { engine, runsJobs: false });
      let count = 0;
      register("job", "* * * * *", () => count++, { catchUp: "once" });
      await manager.start();
      await clock.elapse(3 * minute, minute);
      const job = await manager.find("job");
      assert.equal(job.nextRun?.toISOString(), "2026-03-02T10:04:00.000Z");
      await manager.pause("job");
      assert.equal((await manager.find("job")).isPaused, true);
      await manager.resume("job");
      await assert.rejects(manager.run("job"), {
        code: "INSTANCE_SERVES_ONLY",
        status: 409,
        message: /cron\.run is false/,
      });
      await assert.rejects(manager.run("unknown"), { code: "JOB_UNKNOWN" });
      assert.equal(count, 0);
      assert.deepEqual(await readRuns(), []);
    });

    it("queues runs for an instance that runs jobs", async (t) => {
      const serving = await createTestManager(t, { engine, runsJobs: false });
      const { clock, database } = serving;
      serving.register("job", "0 0 1 1 *", () => assert.fail("it only serves"));
      await serving.manager.start();
      const { id } = await serving.manager.runAt("job", new Date(clock.now()), { parameters: 7 });
      await clock.elapse(5 * second);
      assert.equal((await serving.manager.listQueued()).length, 1);
      const worker = await createTestManager(t, { database, clock });
      const seen: unknown[] = [];
      worker.register("job", "0 0 1 1 *", ({ parameters, runId }) => seen.push([parameters, runId]));
      await worker.manager.start();
      await eventually(() => {
        clock.advance(second);
        return seen.length === 1;
      });
      assert.deepEqual(seen, [[7, id]]);
    });

    it("says that no instance runs jobs", async (t) => {
      const { manager } = await createTestManager(t, { engine, runsJobs: false });
      await manager.start();
      const [issue] = manager.fleetIssues();
      assert.deepEqual([issue?.id, issue?.status], ["no-worker", "degraded"]);
      assert.match(issue!.message, /annex worker/);
      assert.equal((await manager.status()).isRunning, false);
    });

    it("leaves missed ticks to the next instance that runs jobs", async (t) => {
      const worker = await createTestManager(t, { engine });
      const { clock, database } = worker;
      worker.register("job", "1 10 * * *", () => assert.fail("it is stopped"), { catchUp: "once" });
      await worker.manager.start();
      await worker.manager.stop(0);
      const web = await createTestManager(t, { database, clock, runsJobs: false });
      web.register("job", "1 10 * * *", () => assert.fail("it only serves"), { catchUp: "once" });
      await web.manager.start();
      await clock.elapse(5 * minute, 10 * second);
      await web.manager.stop(0);
      const next = await createTestManager(t, { database, clock });
      let count = 0;
      next.register("job", "1 10 * * *", () => count++, { catchUp: "once" });
      await next.manager.start();
      await eventually(() => count === 1);
    });
  });
}

describe("a fleet with an instance that only serves", () => {
  it("counts only the instances that run jobs, and says when the last one is gone", async (t) => {
    const web = await createTestManager(t, { engine: "postgres", runsJobs: false, instance: "web" });
    const { database, clock } = web;
    const worker = await createTestManager(t, { database, clock, instance: "worker" });
    let count = 0;
    for (const { register, manager } of [web, worker]) {
      register("job", "* * * * *", () => count++);
      await manager.start();
    }
    const { recovery, membership } = await worker.manager.open();
    const { live } = await membership.instances();
    assert.deepEqual(live.map(({ name, runsJobs }) => [name, runsJobs]).toSorted(), [
      ["web", false],
      ["worker", true],
    ]);
    clock.advance(3 * second);
    const issues = () => web.manager.fleetIssues().map(({ id }) => id);
    await until("the worker is known", issues, (ids) => ids.length === 0);
    assert.equal((await web.manager.status()).isRunning, true);
    assert.equal(recovery.instanceCount, 1);
    clock.advance(minute);
    await eventually(() => count >= 1);
    const [run] = await web.readRuns();
    assert.equal(run?.instance, "worker");
    await worker.manager.stop(0);
    await until(
      "it is noticed",
      () => {
        clock.advance(second);
        return issues();
      },
      (ids) => ids.includes("no-worker"),
    );
  });

  it("marks the runs of dead instances as interrupted", async (t) => {
    const web = await createTestManager(t, { engine: "postgres", runsJobs: false });
    const worker = await createTestManager(t, { database: web.database, clock: web.clock });
    worker.register("job", "0 12 * * *", () => new Promise(() => {}));
    await worker.manager.start();
    const { id } = await worker.manager.run("job");
    await web.manager.start();
    await worker.expire();
    worker.fence(true);
    await eventually(async () => {
      web.clock.advance(second);
      return (await web.manager.findRun(id)).status === "interrupted";
    });
  });
});
