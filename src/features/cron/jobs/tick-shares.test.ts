import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { eventually } from "../../../lib/testing/until.ts";
import type { RunRequest } from "../runs/run-request.ts";
import type { CronTables } from "../tables.ts";
import { recordStatements } from "../testing/record-statements.ts";
import { createTestManager } from "../testing/test-manager.ts";
import { TickShares } from "./tick-shares.ts";

const jobCount = 60;
const dueAt = Date.parse("2026-03-02T11:00:00Z");

/** Instances with the same jobs, which are all due at the same time. */
async function startFleet(t: TestContext, size: number) {
  const first = await createTestManager(t, { engine: "postgres" });
  const { clock } = first;
  const tables = first.database.tables<CronTables>();
  const fleet = await Promise.all(
    Array.from({ length: size }, async () => {
      const { database, statements } = recordStatements(first.database);
      return { ...(await createTestManager(t, { database, clock, among: first.database })), statements };
    }),
  );
  const calls: string[] = [];
  for (const { register, manager } of fleet) {
    for (let index = 0; index < jobCount; index++)
      register(`job${index}`, "0 11 * * *", () => void calls.push(`job${index}`));
    await manager.start();
  }
  /** Lets each instance count the others. */
  const meet = async (count = size) => {
    for (const { manager } of fleet) {
      const { recovery } = await manager.open();
      await eventually(() => {
        clock.advance(100);
        return recovery.instanceCount === count;
      });
    }
    for (const { statements } of fleet) statements.length = 0;
  };
  const passToTick = () => clock.advance(dueAt - clock.now());
  const countRuns = async () => {
    const rows = await tables
      .selectFrom("annex_cron_runs")
      .select(["instance", ({ fn }) => fn.countAll<number>().as("runs")])
      .groupBy("instance")
      .execute();
    return rows.map(({ runs }) => runs);
  };
  return { fleet, calls, tables, meet, passToTick, countRuns };
}

/** The lease of an instance that does not respond. */
const silent = { id: "silent", name: "silent", runs_jobs: 1, renewed_at: 0, expires_at: 4_000_000_000_000 };

describe("instances with the same ticks", () => {
  it("run the same number of them, and store each once", async (t) => {
    const { fleet, calls, meet, countRuns } = await startFleet(t, 3);
    await meet();
    const claims = await Promise.all(
      fleet.map(async ({ manager }) => {
        const { runner, runs, recovery } = await manager.open();
        // On a slow machine, an instance may store its share later than the others usually wait.
        const shares = new TickShares({ runner, runs, fleet: recovery, patienceMs: 600_000 });
        const requests = manager.scheduler
          .all()
          .map((job) => ({ job, scheduledAt: dueAt, trigger: "schedule" as const, isTick: true }));
        return { shares, claim: shares.run(requests) };
      }),
    );
    await eventually(() => calls.length === jobCount);
    assert.deepEqual(await countRuns(), [20, 20, 20]);
    for (const { statements } of fleet) {
      const inserts = statements.filter((text) => text.startsWith("with state as"));
      assert.equal(inserts.length, 1);
    }
    for (const { shares, claim } of claims) {
      await shares.stop();
      await claim;
    }
    assert.equal(calls.length, jobCount);
  });

  for (const [size, dead] of [
    [4, [1]],
    [2, [0]],
    [5, [0, 4]],
  ] as const)
    it(`divide the share of instance ${dead} of ${size}, which is dead`, async () => {
      const takenBy = new Map<string, number>();
      const requests = Array.from({ length: jobCount }, (_, index) => ({
        ...{ job: { id: `job${index}` } as RunRequest["job"], scheduledAt: dueAt },
        ...{ trigger: "schedule" as const, isTick: true },
      }));
      const living = Array.from({ length: size }, (_, rank) => rank).filter(
        (rank) => !(dead as readonly number[]).includes(rank),
      );
      const claim = (rank: number) => async (claimed: readonly { job: { id: string } }[]) => {
        for (const { job } of claimed) {
          const name = `${job.id} ${dueAt}`;
          if (!takenBy.has(name)) takenBy.set(name, rank);
        }
      };
      const runs = {
        findTicks: async (ticks: string[]) => new Set(ticks.filter((tick) => takenBy.has(tick))),
      };
      await Promise.all(
        living.map((rank) => {
          const fleet = { instanceCount: size, rank };
          return new TickShares({ runner: { runTicks: claim(rank) }, runs, fleet }).run(requests);
        }),
      );
      assert.equal(takenBy.size, jobCount);
      if (dead.length > 1) return;
      const counts = living.map((rank) => [...takenBy.values()].filter((by) => by === rank).length);
      assert.deepEqual(new Set(counts), new Set([jobCount / living.length]));
    });

  it("run the share of an instance that has a lease but does not respond", async (t) => {
    const { calls, tables, meet, passToTick } = await startFleet(t, 2);
    await tables.insertInto("annex_cron_instances").values(silent).execute();
    await meet(3);
    passToTick();
    await eventually(() => calls.length === jobCount);
    assert.equal(new Set(calls).size, jobCount);
  });

  it("are caught up after a stop if no instance has claimed them", async (t) => {
    const { fleet, tables, meet, passToTick } = await startFleet(t, 2);
    await tables.insertInto("annex_cron_instances").values(silent).execute();
    await meet(3);
    passToTick();
    // No instance has claimed the share of the silent instance.
    await Promise.all(fleet.map(({ manager }) => manager.stop(1_000)));
    const row = await tables
      .selectFrom("annex_cron_settings")
      .select("value")
      .where("name", "=", "alive_until")
      .executeTakeFirstOrThrow();
    assert.ok(Number(row.value) < dueAt, `${row.value} is before ${dueAt}`);
  });
});
