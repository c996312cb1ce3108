import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { eventually } from "../../../lib/testing/until.ts";
import { hourMs } from "../../../lib/time/units.ts";
import type { Engine } from "../../../storage/index.ts";
import { engines, openTestDatabase } from "../../../storage/testing/test-database.ts";
import { createRunStore } from "../runs/store/run-store.ts";
import { type CronTables, cronMigrations } from "../tables.ts";
import { insertManyRuns } from "../testing/many-runs.ts";
import { recordStatements } from "../testing/record-statements.ts";
import { createTestManager } from "../testing/test-manager.ts";

const { signal } = new AbortController();
const unlimited = { maxRuns: 1e9, signal };

/** A thousand runs of ten jobs, a minute apart. Some of the jobs are registered. */
async function createLog(t: TestContext, engine: Engine) {
  const { manager, clock, database, register } = await createTestManager(t, { engine });
  await insertManyRuns(database, { count: 1_000, jobs: 10, until: clock.now() });
  const count = async (jobId?: string) =>
    (await manager.logs({ perPage: 1, ...(jobId && { jobId }) })).totalItems;
  return { manager, clock, database, register, count };
}

for (const engine of engines) {
  describe(`pruning on ${engine}`, () => {
    it("takes a few statements, however many jobs have runs", async (t) => {
      const original = await openTestDatabase(t, engine, cronMigrations);
      await insertManyRuns(original, { count: 1_000, jobs: 200, until: 1e12 });
      const { database, statements } = recordStatements(original);
      assert.equal((await createRunStore(database).purge({}, 400)).count, 400);
      // The subquery counts, too.
      assert.ok(statements.length <= 4, `${statements.length} statements`);
    });

    it("keeps the runs of a job for its own time, longer or shorter", async (t) => {
      const { manager, register, count } = await createLog(t, engine);
      register("job1", "0 0 1 1 *", () => {}, { logRetentionHours: 1 });
      register("job2", "0 0 1 1 *", () => {}, { logRetentionHours: 1_000 });
      register("job3", "0 0 1 1 *", () => {});
      await manager.start();
      assert.equal(await manager.pruneRuns({ retentionMs: 10 * hourMs, ...unlimited }), 94 + 39 + 7 * 40);
      assert.deepEqual([await count("job1"), await count("job2"), await count("job3")], [6, 100, 60]);
      assert.equal(await count(), 6 + 100 + 800 - (39 + 7 * 40));
      assert.equal(await manager.pruneRuns({ retentionMs: 10 * hourMs, ...unlimited }), 0);
    });

    it("deletes exactly the runs that are too many", async (t) => {
      const { manager, count } = await createLog(t, engine);
      await manager.start();
      // The option need not be a whole number.
      assert.equal(await manager.pruneRuns({ retentionMs: 1_000 * hourMs, maxRuns: 870.5, signal }), 130);
      assert.equal(await count(), 870);
      assert.equal(await manager.pruneRuns({ retentionMs: 1_000 * hourMs, maxRuns: 870, signal }), 0);
    });

    it("uses the stored retention of jobs that this instance does not have", async (t) => {
      const { manager, clock, database, register, count } = await createLog(t, engine);
      register("job2", "0 0 1 1 *", () => {}, { logRetentionHours: 1_000 });
      await manager.start();
      if (engine === "postgres") {
        const other = await createTestManager(t, { database, clock });
        await other.manager.pruneRuns({ retentionMs: hourMs, ...unlimited });
      } else {
        const { jobs } = await manager.open();
        assert.deepEqual(await jobs.retentions(), new Map([["job2", 1_000 * hourMs]]));
        await manager.pruneRuns({ retentionMs: hourMs, ...unlimited });
      }
      assert.equal(await count("job2"), 100);
      // Registered again, without the option.
      register("job2", "0 0 1 1 *", () => {});
      const { jobs } = await manager.open();
      await eventually(async () => (await jobs.retentions()).size === 0);
    });

    it("limits the number of runs, but not of jobs with their own retention", async (t) => {
      const { manager, register, count } = await createLog(t, engine);
      register("job2", "0 0 1 1 *", () => {}, { logRetentionHours: 1_000 });
      await manager.start();
      assert.equal(await manager.pruneRuns({ retentionMs: 1_000 * hourMs, maxRuns: 200, signal }), 700);
      assert.equal(await count(), 300);
      assert.equal(await count("job2"), 100);
    });

    it("ends when it is aborted, after the batch in progress", async (t) => {
      const { manager, count } = await createLog(t, engine);
      const aborted = AbortSignal.abort(new Error("stop"));
      await assert.rejects(manager.pruneRuns({ retentionMs: hourMs, maxRuns: 1, signal: aborted }), /stop/);
      assert.equal(await count(), 1_000);
    });

    it("remembers until when runs were deleted, even after the retention was raised", async (t) => {
      const { manager, clock, database } = await createLog(t, engine);
      const read = () =>
        database
          .tables<CronTables>()
          .selectFrom("annex_cron_settings")
          .select("value")
          .where("name", "=", "pruned_until")
          .executeTakeFirst();
      await manager.pruneRuns({ retentionMs: hourMs, ...unlimited });
      await manager.pruneRuns({ retentionMs: 100 * hourMs, ...unlimited });
      assert.equal((await read())?.value, `${clock.now() - hourMs}`);
    });
  });
}

it("a retention that is not valid is refused at registration", async (t) => {
  const { register } = await createTestManager(t);
  for (const logRetentionHours of [0, -1, 87_601, Number.NaN, "1" as never])
    assert.throws(
      () => register("job", "* * * * *", () => {}, { logRetentionHours }),
      /logRetentionHours must be/,
    );
});
