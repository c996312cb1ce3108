import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { hourMs } from "../../../lib/time/units.ts";
import type { Database } from "../../../storage/index.ts";
import { engines } from "../../../storage/testing/test-database.ts";
import type { CronTables } from "../tables.ts";
import { createTestManager } from "../testing/test-manager.ts";
import { pruneJobs } from "./log-cleanup.ts";

const { signal } = new AbortController();
const limits = { retentionMs: 72 * hourMs, maxRuns: 1_000_000, signal };

for (const engine of engines) {
  describe(`rows of jobs that are gone on ${engine}`, () => {
    it("are deleted after the retention, unless they have runs or a stored change", async (t) => {
      const { manager, database, clock, register } = await createTestManager(t, { engine });
      register("here", "0 4 * * *", async () => {});
      await manager.start();
      const old = clock.now() - 73 * hourMs;
      await insertJobs(database, [
        { job_id: "gone", registered_at: old },
        { job_id: "gone-planned", registered_at: old, planned_as: "0 4 * * * UTC", planned_since: 1 },
        { job_id: "recent", registered_at: old + 2 * hourMs },
        { job_id: "paused", registered_at: old, paused_at: 1 },
        { job_id: "removed", registered_at: old, removed_at: 1 },
        { job_id: "with-runs", registered_at: old, failed_count: 1 },
        { job_id: "running", registered_at: old },
      ]);
      await insertRunningRun(database, "running", clock.now());
      await manager.pruneRuns(limits);
      assert.deepEqual(await jobIds(database), [
        "here",
        "paused",
        "recent",
        "removed",
        "running",
        "with-runs",
      ]);
    });

    it("are not deleted while an instance has the job, however long it runs", async (t) => {
      const one = await createTestManager(t, { engine });
      one.register("here", "0 4 * * *", async () => {});
      await one.manager.start();
      await one.clock.advance(200 * hourMs);
      await one.manager.pruneRuns(limits);
      assert.deepEqual(await jobIds(one.database), ["here"]);
    });

    it("are deleted in turns, however many there are", async (t) => {
      const { manager, database, clock } = await createTestManager(t, { engine });
      await manager.start();
      const many = Array.from({ length: 1_001 }, (_, index) => ({
        job_id: `job-${index}`,
        registered_at: 0,
      }));
      await insertJobs(database, many.slice(0, 500));
      await insertJobs(database, many.slice(500, 1_000));
      await insertJobs(database, many.slice(1_000));
      const { jobs } = await manager.open();
      const sizes: number[] = [];
      const counted = {
        async purge(...[range, limit]: Parameters<typeof jobs.purge>) {
          const ids = await jobs.purge(range, limit);
          sizes.push(ids.length);
          return ids;
        },
      };
      await pruneJobs({ jobs: counted, now: clock.now() }, limits);
      assert.deepEqual(sizes, [200, 200, 200, 200, 200, 1]);
      assert.deepEqual(await jobIds(database), []);
    });
  });
}

type NewJob = { job_id: string } & Partial<Omit<CronTables["annex_cron_jobs"], "registered_at">> & {
    registered_at: number;
  };

async function insertJobs(database: Database, jobs: readonly NewJob[]): Promise<void> {
  const empty = { success_count: 0, failed_count: 0, duration_ms: 0 };
  const rows = jobs.map((job) => ({ ...empty, ...job }));
  for (const row of Object.values(Object.groupBy(rows, (row) => Object.keys(row).join())))
    await database.tables<CronTables>().insertInto("annex_cron_jobs").values(row!).execute();
}

async function insertRunningRun(database: Database, jobId: string, at: number): Promise<void> {
  await database
    .tables<CronTables>()
    .insertInto("annex_cron_runs")
    .values({
      ...{ id: "r1", job_id: jobId, job_name: "", status: "running", trigger: "manual", trace_id: "t" },
      ...{
        scheduled_at: at,
        attempt: 1,
        started_at: at,
        ended_at: 0,
        duration_ms: 0,
        output: "[]",
        instance: "i",
      },
    } as never)
    .execute();
}

async function jobIds(database: Database): Promise<string[]> {
  const rows = await database
    .tables<CronTables>()
    .selectFrom("annex_cron_jobs")
    .select("job_id")
    .orderBy("job_id")
    .execute();
  return rows.map(({ job_id }) => job_id);
}
