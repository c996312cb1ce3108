import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { eventually } from "../../../lib/testing/until.ts";
import type { Removal } from "../../../lib/time/removal.ts";
import { hourMs } from "../../../lib/time/units.ts";
import type { Engine } from "../../../storage/index.ts";
import { assertBounded, recordPlans } from "../../../storage/testing/query-plans.ts";
import { engines, openTestDatabase } from "../../../storage/testing/test-database.ts";
import { createQueueStore } from "../queue/queue-store.ts";
import { createRunHistory } from "../runs/history/run-history.ts";
import { createRunStore, type RunStore } from "../runs/store/run-store.ts";
import { type CronTables, cronMigrations } from "../tables.ts";
import { insertManyRuns } from "../testing/many-runs.ts";
import { recordStatements } from "../testing/record-statements.ts";
import { createTestManager } from "../testing/test-manager.ts";
import { describeRunLimits, pruneRuns } from "./log-cleanup.ts";

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

for (const engine of engines) {
  describe(`the progress of pruning on ${engine}`, () => {
    it("is an estimate that gets exact, and disappears at the end", async (t) => {
      const { manager, clock, register } = await createLog(t, engine);
      register("job2", "0 0 1 1 *", () => {}, { logRetentionHours: 1 });
      await manager.start();
      const opened = await manager.open();
      const shown: Removal[] = [];
      const runs = {
        ...opened.runs,
        async purge(...given: Parameters<RunStore["purge"]>) {
          if (opened.removal.current) shown.push(opened.removal.current);
          return opened.runs.purge(...given);
        },
      };
      const limits = { retentionMs: 5 * hourMs, maxRuns: 1e9, signal };
      const count = await pruneRuns({ ...opened, runs, now: clock.now() }, limits);
      // All but one hour of a job, and all but five hours of the nine others.
      assert.equal(count, 723);
      assert.ok(shown.length >= 7, `${shown.length}`);
      for (const [index, { done, total, unit, estimated }] of shown.entries()) {
        assert.deepEqual([unit, estimated], ["runs", true]);
        assert.ok(done > (shown[index - 1]?.done ?? 0));
        assert.ok(Math.abs(total - count) <= 20, `${total} instead of ${count}`);
      }
      assert.equal(opened.removal.current, undefined);
    });

    it("counts what is too much, beyond the retention", async (t) => {
      const { manager, clock } = await createLog(t, engine);
      await manager.start();
      const opened = await manager.open();
      const totals: number[] = [];
      const runs = {
        ...opened.runs,
        async purge(...given: Parameters<RunStore["purge"]>) {
          totals.push(opened.removal.current?.total ?? 0);
          return opened.runs.purge(...given);
        },
      };
      const limits = { retentionMs: 1_000 * hourMs, maxRuns: 650, signal };
      assert.equal(await pruneRuns({ ...opened, runs, now: clock.now() }, limits), 350);
      assert.deepEqual(totals, [0, 0, 350, 350, 350]);
    });

    it("is in the report of the store, which says what does not fit", async (t) => {
      const { manager, clock } = await createLog(t, engine);
      await manager.start();
      const opened = await manager.open();
      const read = () =>
        describeRunLimits({ ...opened, now: clock.now() }, { logRetentionHours: 12, maxRuns: 1 });
      assert.deepEqual(await read(), { removing: undefined, early: undefined });
      // A run a minute.
      await manager.pruneRuns({ retentionMs: 1_000 * hourMs, maxRuns: 650, signal });
      assert.deepEqual(await read(), { removing: undefined, early: ["10 of 12 hours of job runs fit"] });
      await opened.removal.during(async (show) => {
        show({ done: 1, total: 2, unit: "runs" });
        assert.deepEqual((await read()).removing, { done: 1, total: 2, unit: "runs" });
      });
      clock.jump(12 * hourMs);
      assert.deepEqual((await read()).early, undefined);
    });

    it("reads as many runs as it deletes, or passes those of jobs with another retention", async (t) => {
      const { database, register, manager } = await createLog(t, engine);
      for (let job = 0; job < 9; job++)
        register(`job${job}`, "0 0 1 1 *", () => {}, { logRetentionHours: 1_000 });
      await manager.start();
      const { runs } = await manager.open();
      const all = { jobs: "shared" } as const;
      const first = await runs.purge(all, 100);
      assert.deepEqual([first.count, first.hasMore], [10, true]);
      const second = await runs.purge({ ...all, after: first.position }, 100);
      assert.equal(second.count, 10);
      // Reads more than it may delete, and continues behind the last deleted one.
      const third = await runs.purge({ ...all, after: second.position, read: 500 }, 30);
      assert.deepEqual([third.count, third.hasMore], [30, true]);
      const fourth = await runs.purge({ ...all, after: third.position, read: 600 }, 100);
      assert.deepEqual([fourth.count, fourth.hasMore], [50, false]);
      const { length } = await database
        .tables<CronTables>()
        .selectFrom("annex_cron_runs")
        .select("id")
        .execute();
      assert.equal(length, 900);
    });
  });
}

it("deletions of runs find them in indexes", async (t) => {
  const database = await openTestDatabase(t, "sqlite", cronMigrations);
  await insertManyRuns(database, { count: 10_000, jobs: 1_000, until: 1e12 });
  const plans = recordPlans(database);
  const store = createRunStore(plans.recorded);
  const queue = createQueueStore(plans.recorded);
  const before = 1e12 - hourMs;
  const { position } = await store.purge({ before, jobs: "shared" }, 100);
  await store.purge({ before, jobs: "shared", after: position }, 100);
  await store.purge({ jobs: "shared" }, 100);
  await store.purge({ before, jobs: { id: "job1" } }, 100);
  await queue.purge(["gone"], before, 100);
  await createRunHistory(plans.recorded).oldestStart("job1");
  await assertBounded(plans);
});

it("a retention that is not valid is refused at registration", async (t) => {
  const { register } = await createTestManager(t);
  for (const logRetentionHours of [0, -1, 87_601, Number.NaN, "1" as never])
    assert.throws(
      () => register("job", "* * * * *", () => {}, { logRetentionHours }),
      /logRetentionHours must be/,
    );
});
