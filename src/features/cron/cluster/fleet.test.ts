import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { FakeClock, settle } from "../../../lib/testing/fake-clock.ts";
import { eventually } from "../../../lib/testing/until.ts";
import { openTestDatabase } from "../../../storage/testing/test-database.ts";
import type { JobOptions } from "../jobs/job.ts";
import { Manager } from "../jobs/manager.ts";
import type { JobFunction } from "../runs/runnable-job.ts";
import { cronMigrations } from "../tables.ts";
import { createTestManager } from "../testing/test-manager.ts";

const second = 1_000;
const minute = 60 * second;

/** Instances that share a PostgreSQL database and a clock. */
async function startFleet(t: TestContext, size: number, run: JobFunction, options?: JobOptions) {
  const first = await createTestManager(t, { engine: "postgres" });
  const others = await Promise.all(
    Array.from({ length: size - 1 }, () =>
      createTestManager(t, { database: first.database, clock: first.clock }),
    ),
  );
  const fleet = [first, ...others];
  for (const { register, manager } of fleet) {
    register("job", "* * * * *", run, options);
    await manager.start();
  }
  return { fleet, clock: first.clock, readRuns: first.readRuns };
}

describe("a fleet on one PostgreSQL", () => {
  it("runs each tick once", async (t) => {
    const ticks: string[] = [];
    const { clock, readRuns } = await startFleet(t, 5, ({ scheduledAt }) => {
      ticks.push(scheduledAt.toISOString());
    });
    for (let count = 1; count <= 10; count++) {
      clock.advance(minute);
      await eventually(() => ticks.length >= count);
      await eventually(async () => (await readRuns()).every(({ status }) => status === "success"));
    }
    assert.equal(ticks.length, 10);
    assert.equal(new Set(ticks).size, 10);
  });

  it("never runs a job twice at the same time, by schedule or by hand", async (t) => {
    let running = 0;
    let most = 0;
    const ends: (() => void)[] = [];
    const { fleet, clock } = await startFleet(t, 3, async () => {
      most = Math.max(most, ++running);
      await new Promise<void>((resolve) => ends.push(resolve));
      running--;
    });
    clock.advance(minute);
    await eventually(() => running === 1);
    for (const { manager } of fleet) await assert.rejects(manager.run("job"), { code: "JOB_IS_RUNNING" });
    for (const end of ends) end();
    await eventually(() => running === 0);
    assert.equal(most, 1);
  });

  it("follows a change that another instance takes back at once", async (t) => {
    const { fleet, clock } = await startFleet(t, 2, () => {});
    const [one, other] = fleet as [(typeof fleet)[0], (typeof fleet)[0]];
    // Both know the state before.
    for (let count = 0; count < 4; count++) {
      clock.advance(3 * second);
      await settle(20);
    }
    await one.manager.pause("job");
    await other.manager.resume("job");
    await eventually(async () => {
      clock.advance(3 * second);
      return !(await one.manager.find("job")).isPaused;
    });
  });

  it("queues a tick behind the run of another instance", async (t) => {
    const ticks: string[] = [];
    const ends: (() => void)[] = [];
    const run: JobFunction = async ({ scheduledAt }) => {
      ticks.push(scheduledAt.toISOString().slice(11, 16));
      await new Promise<void>((resolve) => ends.push(resolve));
    };
    const { clock } = await startFleet(t, 2, run, { overlap: "queue" });
    clock.advance(minute);
    await eventually(() => ticks.length === 1);
    clock.advance(minute);
    ends[0]!();
    // Within the minute: the database may be slow, and the next tick must not come in between.
    for (let second = 1; second < 59 && ticks.length === 1; second++) {
      clock.advance(1_000);
      await settle(2_000);
    }
    await eventually(() => ticks.length === 2);
    ends[1]!();
    assert.deepEqual(ticks, ["10:01", "10:02"]);
  });

  it("applies changes made on one instance to all", async (t) => {
    const { fleet, clock } = await startFleet(t, 2, () => {});
    const [one, other] = [fleet[0]!.manager, fleet[1]!.manager];
    const heard = (isSo: () => Promise<boolean>) =>
      eventually(async () => {
        clock.advance(second);
        return isSo();
      });
    await one.setTimezone("Asia/Tokyo");
    await heard(async () => (await other.status()).timezone === "Asia/Tokyo");
    await one.pause("job");
    await heard(
      async () => (await other.find("job")).isPaused && (await other.find("job")).nextRun === undefined,
    );
    await other.resume("job");
    await heard(async () => (await one.find("job")).nextRun !== undefined);
    await one.remove("job");
    await heard(async () => (await other.list()).length === 0);
  });

  it("cancels a run on any instance", async (t) => {
    const { fleet, clock } = await startFleet(t, 2, ({ signal }) => {
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    });
    const [one, other] = [fleet[0]!.manager, fleet[1]!.manager];
    const { id } = await one.run("job");
    await other.cancel(id, { actor: "ada@example.com" });
    await eventually(async () => {
      clock.advance(second);
      return (await other.findRun(id)).status === "failed";
    });
    assert.match((await other.findRun(id)).output, /Cancelled by ada@example.com/);
  });

  it("does not wait for an instance that shut down gracefully", async (t) => {
    const { fleet } = await startFleet(t, 2, () => new Promise(() => {}));
    const [one, other] = [fleet[0]!.manager, fleet[1]!.manager];
    const { id } = await one.run("job");
    await one.stop(0);
    assert.equal((await other.findRun(id)).status, "interrupted");
    await other.run("job");
  });
});

it("A manager that joins no fleet runs jobs on PostgreSQL, without a lease", async (t) => {
  const clock = new FakeClock("2026-03-02T10:00:30Z");
  const database = await openTestDatabase(t, "postgres", cronMigrations);
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const manager = new Manager({ database: async () => database, clock, logger, timezone: "UTC" });
  let count = 0;
  manager.registerJob("job", "Job", "", "0 12 * * *", () => void count++);
  await manager.start();
  try {
    await manager.run("job");
    await eventually(() => count === 1);
  } finally {
    await manager.stop(0);
  }
});
