import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Compilable, CompiledQuery } from "kysely";
import type { SortTerm } from "../../../../lib/page.ts";
import { until } from "../../../../lib/testing/until.ts";
import { type Database, openDatabase } from "../../../../storage/index.ts";
import { createTemporaryFolder } from "../../../../storage/testing/temporary-folder.ts";
import { engines, openTestDatabase } from "../../../../storage/testing/test-database.ts";
import { createLogCleanup } from "../../jobs/log-cleanup.ts";
import { cronMigrations } from "../../tables.ts";
import { insertManyRuns } from "../../testing/many-runs.ts";
import { recordStatements } from "../../testing/record-statements.ts";
import { createTestManager } from "../../testing/test-manager.ts";
import type { RunEnd } from "../run.ts";
import type { NewRun } from "../store/begin-runs.ts";
import { createRunStore } from "../store/run-store.ts";
import { oneBeyond } from "./long-reads.ts";
import { createHistoryQueries, createRunHistory } from "./run-history.ts";
import { createQueries, createRunLog } from "./run-log.ts";
import { type RunFilter, type RunSelection, type RunSortField, runSortFields } from "./run-selection.ts";

const newRun = (id: string, jobId: string, startedAt: number, rest: Partial<NewRun> = {}): NewRun => ({
  id,
  job_id: jobId,
  job_name: `Job ${jobId}`,
  trigger: "schedule",
  actor: null,
  trace_id: "trace",
  scheduled_at: startedAt,
  attempt: 1,
  started_at: startedAt,
  instance: "one",
  instance_name: "web-1",
  tick: null,
  exclusive: null,
  job_group: null,
  ...rest,
});

const lost = (at: number) => ({ at, now: at, reason: "no heartbeat" });

const endOf = (id: string, jobId: string, startedAt: number, rest: Partial<RunEnd> = {}): RunEnd => ({
  id,
  jobId,
  status: "success",
  startedAt,
  endedAt: startedAt + 10,
  durationMs: 10,
  progress: null,
  output: "[]",
  ...rest,
});

const by = (field: RunSortField, isDescending = false): SortTerm<RunSortField>[] => [{ field, isDescending }];

/** The query plan of the engine, as text. */
async function explain(database: Database, query: Compilable): Promise<string> {
  const { sql, parameters } = query.compile();
  const command = database.engine === "sqlite" ? "explain query plan" : "explain";
  const { rows } = await database
    .tables()
    .executeQuery<Record<string, unknown>>(CompiledQuery.raw(`${command} ${sql}`, [...parameters]));
  return rows.map((row) => row.detail ?? row["QUERY PLAN"]).join("\n");
}

for (const engine of engines) {
  describe(`the run log on ${engine}`, () => {
    it("starts one of two exclusive runs, and each tick once", async (t) => {
      const store = createRunStore(await openTestDatabase(t, engine, cronMigrations));
      const first = newRun("a", "job", 1, { exclusive: "job", tick: "job 1" });
      assert.deepEqual([...(await store.begin([first])).begun], ["a"]);
      const rivals = [
        newRun("b", "job", 2, { exclusive: "job", tick: "job 2" }),
        newRun("c", "job", 2, { tick: "job 1", scheduled_at: 1 }),
        newRun("d", "job", 2),
      ];
      assert.deepEqual([...(await store.begin(rivals)).begun], ["d"]);
      await store.end([endOf("a", "job", 1)]);
      assert.deepEqual(
        [...(await store.begin([newRun("e", "job", 3, { tick: "job 1", scheduled_at: 1 })])).begun],
        [],
      );
      assert.deepEqual(
        [...(await store.begin([newRun("f", "job", 3, { exclusive: "job", tick: "job 3" })])).begun],
        ["f"],
      );
      assert.deepEqual(await store.findTicks(["job 3", "job 4"]), new Set(["job 3"]));
      assert.deepEqual(await store.findBegun(["a", "f", "g"], "one"), new Set(["f"]));
    });

    it("replaces an interruption when the run ends after all, also in the sums", async (t) => {
      const database = await openTestDatabase(t, engine, cronMigrations);
      const [store, log] = [createRunStore(database), createRunLog(database)];
      await store.begin([newRun("a", "job", 1_000), newRun("b", "job", 2_000)]);
      const marked = await store.interrupt(["a", "b", "c"], lost(5_000));
      assert.deepEqual(marked.map(({ id }) => id).toSorted(), ["a", "b"]);
      assert.deepEqual(await store.interrupt(["a"], lost(9_000)), [], "once");
      assert.match((await log.find("a"))!.output, /Interrupted: no heartbeat/);
      await store.end([endOf("a", "job", 1_000, { durationMs: 20_000, output: '["done"]' })]);
      assert.partialDeepStrictEqual(await log.find("a"), {
        status: "success",
        durationMs: 20_000,
        output: '["done"]',
      });
      await store.end([endOf("a", "job", 1_000, { status: "failed" })]);
      assert.equal((await log.find("a"))!.status, "success", "an end is final");
      assert.deepEqual(await log.sums(), [
        { jobId: "job", executions: 2, successCount: 1, failedCount: 1, durationMs: 23_000 },
      ]);
    });

    it("starts a run on one of many instances", async (t) => {
      const database = await openTestDatabase(t, engine, cronMigrations);
      const stores = Array.from({ length: 8 }, () => createRunStore(database));
      const jobs = Array.from({ length: 50 }, (_, index) => `job${index}`);
      const begun = await Promise.all(
        stores.map((store, index) =>
          store.begin(
            jobs.map((job) => newRun(`${job} by ${index}`, job, 1, { exclusive: job, tick: `${job} 1` })),
          ),
        ),
      );
      const winners = begun.flatMap((each) => [...each.begun]).map((id) => id.split(" ")[0]);
      assert.deepEqual(winners.toSorted(), jobs.toSorted());
    });

    it("adds finished runs to the sums, even concurrent ones, and subtracts purged runs", async (t) => {
      const database = await openTestDatabase(t, engine, cronMigrations);
      const [store, log] = [createRunStore(database), createRunLog(database)];
      const ids = Array.from({ length: 1_200 }, (_, index) => `run${index}`);
      await store.begin(ids.map((id, index) => newRun(id, `job${index % 3}`, index)));
      const ends = ids.map((id, index) =>
        endOf(id, `job${index % 3}`, index, {
          status: index % 4 === 0 ? "timeout" : "success",
          durationMs: index,
        }),
      );
      await Promise.all([store.end(ends.slice(0, 700)), store.end(ends.slice(600))]);
      const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
      const expected = (from: number) =>
        [0, 1, 2].map((job) => {
          const of = ends.filter(({ startedAt }, index) => index % 3 === job && startedAt >= from);
          const failedCount = of.filter(({ status }) => status === "timeout").length;
          return {
            jobId: `job${job}`,
            executions: of.length,
            successCount: of.length - failedCount,
            failedCount,
            durationMs: sum(of.map(({ durationMs }) => durationMs)),
          };
        });
      assert.deepEqual(await log.sums(), expected(0));
      const purge = async () => {
        const { count, lastEnd, hasMore } = await store.purge({ before: 510 }, 300);
        return { count, lastEnd, hasMore };
      };
      assert.deepEqual(await purge(), { count: 300, lastEnd: 309, hasMore: true });
      assert.deepEqual(await purge(), { count: 200, lastEnd: 509, hasMore: false });
      assert.deepEqual(await purge(), { count: 0, lastEnd: undefined, hasMore: false });
      assert.deepEqual(await log.sums(), expected(500));
      assert.equal((await log.page({ page: 1, perPage: 1, sort: by("id") })).totalItems, 700);
    });

    it("stores outputs and ends of the same runs concurrently, in any order", async (t) => {
      const store = createRunStore(await openTestDatabase(t, engine, cronMigrations));
      for (let round = 0; round < 5; round++) {
        const ids = Array.from({ length: 40 }, (_, index) => `run${round}-${index}`);
        await store.begin(ids.map((id, index) => newRun(id, `job${40 - index}`, index)));
        const outputs = ids.map((id) => ({ id, output: "[]", progress: null }));
        const ends = ids.map((id, index) => endOf(id, `job${40 - index}`, index));
        await Promise.all([
          store.saveOutput(outputs),
          store.end(ends),
          store.saveOutput(outputs.toReversed()),
        ]);
        assert.deepEqual(await store.running(), []);
      }
    });

    it("keeps the last run of a job by its start, whichever ends last", async (t) => {
      const { manager, database, register } = await createTestManager(t, { engine });
      register("job", "0 0 1 1 *", () => {});
      const store = createRunStore(database);
      await store.begin([newRun("a", "job", 1_000), newRun("b", "job", 2_000)]);
      await store.end([endOf("b", "job", 2_000)]);
      await store.end([endOf("a", "job", 1_000, { status: "failed" })]);
      const { lastRun, lastStatus } = await manager.find("job");
      assert.deepEqual([lastRun?.getTime(), lastStatus], [2_000, "success"]);
    });

    it("pages in every order, without a gap or a repetition", async (t) => {
      const database = await openTestDatabase(t, engine, cronMigrations);
      await insertManyRuns(database, { count: 57, jobs: 4, until: 1e12 });
      const log = createRunLog(database);
      for (const field of runSortFields) {
        for (const isDescending of [false, true]) {
          const sort = by(field, isDescending);
          const pages = await Promise.all([1, 2, 3].map((page) => log.page({ page, perPage: 20, sort })));
          assert.deepEqual(
            pages.map(({ totalItems, items }) => [totalItems, items.length]),
            [
              [57, 20],
              [57, 20],
              [57, 17],
            ],
          );
          assert.equal(new Set(pages.flatMap(({ items }) => items.map(({ id }) => id))).size, 57);
        }
      }
      const ofJob = await log.page({ jobId: "job1", page: 1, perPage: 100, sort: by("start_time") });
      assert.equal(ofJob.totalItems, 15);
      assert.ok(ofJob.items.every(({ jobId }) => jobId === "job1"));
      assert.deepEqual(await log.page({ page: 9, perPage: 20, sort: by("id") }), {
        totalItems: 57,
        items: [],
      });
    });

    it("filters by job, trace, status, trigger and start, and counts what is left", async (t) => {
      const database = await openTestDatabase(t, engine, cronMigrations);
      const [store, log] = [createRunStore(database), createRunLog(database)];
      await store.begin([
        newRun("a", "one", 100, { trace_id: "x" }),
        newRun("b", "one", 200, { trace_id: "y", trigger: "manual" }),
        newRun("c", "two", 300, { trace_id: "x", trigger: "retry" }),
        newRun("d", "two", 400, { trace_id: "z" }),
      ]);
      await store.end([endOf("a", "one", 100), endOf("b", "one", 200, { status: "failed" })]);
      await store.end([endOf("c", "two", 300, { status: "timeout" })]);
      const cases: [filter: RunFilter, ids: string[]][] = [
        [{ traceId: "x" }, ["a", "c"]],
        [{ traceId: "nothing" }, []],
        [{ statuses: ["failed", "timeout"] }, ["b", "c"]],
        [{ statuses: ["running"] }, ["d"]],
        [{ triggers: ["manual", "retry"] }, ["b", "c"]],
        [{ from: 200 }, ["b", "c", "d"]],
        [{ to: 200 }, ["a"]],
        [{ from: 200, to: 400 }, ["b", "c"]],
        [{ jobId: "two", statuses: ["timeout"] }, ["c"]],
        [{ jobId: "two", traceId: "x", triggers: ["retry"], from: 300, to: 301 }, ["c"]],
      ];
      for (const [filter, ids] of cases) {
        const { items, totalItems } = await log.page({ ...filter, page: 1, perPage: 20, sort: by("id") });
        assert.deepEqual([items.map(({ id }) => id), totalItems], [ids, ids.length], JSON.stringify(filter));
        const second = await log.page({ ...filter, page: 2, perPage: 1, sort: by("id") });
        assert.deepEqual(
          [second.items.map(({ id }) => id), second.totalItems],
          [ids.slice(1, 2), ids.length],
        );
      }
    });

    it("finds a page and the sums in indexes, however many runs there are", async (t) => {
      const database = await openTestDatabase(t, engine, cronMigrations);
      await insertManyRuns(database, { count: 50_000, jobs: 1_000, until: 1e12 });
      const queries = createQueries(database);
      // SQLite reports "SCAN … USING (COVERING) INDEX", PostgreSQL "Index (Only) Scan". A full scan is reported differently.
      const readsAll = /SCAN annex_cron_runs(?! USING)|Seq Scan on annex_cron_runs/;
      const history = createHistoryQueries(database);
      const some = Array.from({ length: 50 }, (_, index) => `job${index}`);
      for (const query of [history.lastOfEach(some, 100), history.latest("job7", 50)]) {
        const plan = await explain(database, query);
        assert.match(plan, /annex_cron_runs_job_history/);
        assert.doesNotMatch(plan, readsAll, plan);
      }
      for (const query of [history.between(1e12 - 86_400_000, 1e12, 2_000), history.oldestEnd()])
        assert.doesNotMatch(await explain(database, query), readsAll);
      const analytics = await explain(database, queries.sums());
      assert.doesNotMatch(analytics, /annex_cron_runs/, "the sums do not touch the runs");
      const total = await explain(database, queries.total({}));
      assert.match(total, /annex_cron_runs_status_started/);
      assert.doesNotMatch(total, readsAll);
    });

    it("is cleaned by the system job in small batches", async (t) => {
      const { manager, database, clock } = await createTestManager(t, { engine });
      await insertManyRuns(database, { count: 6_000, jobs: 3, until: clock.now() });
      manager.registerSystemJob(createLogCleanup(manager, () => ({ logRetentionHours: 72, maxRuns: 1e6 })));
      const { id } = await manager.run("__svcLogClean__");
      const { status, output } = await until(
        "the cleanup ends",
        () => manager.findRun(id),
        (run) => run.status !== "running",
      );
      assert.equal(status, "success", output);
      assert.match(output, /Deleted 1679 job logs/);
      const { items, totalItems } = await manager.logs({ page: 1, perPage: 1, sort: "start_time" });
      assert.equal(totalItems, 6_000 - 1_679 + 1);
      assert.ok(items[0]!.endedAt!.getTime() >= clock.now() - 72 * 3_600_000);
    });
  });
}

describe("pages of a long run log", () => {
  const selections: RunSelection[] = [
    { page: 1, perPage: 20, sort: by("start_time", true) },
    { page: 1, perPage: 20, sort: by("duration_ms", true), from: 1e12 - 600_000 },
    { page: 501, perPage: 20, sort: [...by("job_name"), ...by("start_time", true)] },
    { page: 2, perPage: 5, sort: by("end_time"), statuses: ["failed"], triggers: ["schedule"], from: 5e11 },
    { page: 9_999, perPage: 100, sort: by("id") },
    { page: 1, perPage: 20, sort: by("id"), jobId: "job3" },
  ];

  it("are read in a thread, with the same result", async (t) => {
    const database = await openDatabase({ dataDir: createTemporaryFolder() });
    t.after(() => database.close());
    await database.migrate([cronMigrations]);
    await insertManyRuns(database, { count: 10_001, jobs: 7, until: 1e12 });
    const recorded = recordStatements(database);
    const here = createRunLog({ ...database, reader: database.tables });
    const log = createRunLog(recorded.database);
    for (const selection of selections)
      assert.deepEqual(await log.page(selection), await here.page(selection), JSON.stringify(selection));
    // Here, only the length of the log is checked.
    assert.equal(recorded.statements.length, selections.length);
    for (const statement of recorded.statements)
      assert.match(
        statement,
        /^select "started_at" from "annex_cron_runs" order by "started_at" limit \$1 offset \$2$/,
      );
    assert.match(
      await explain(database, oneBeyond(database).runs(10_000)),
      /COVERING INDEX annex_cron_runs_started/,
    );
    await createRunStore(database).purge({}, 1);
    recorded.statements.length = 0;
    assert.deepEqual(await log.page(selections[0]!), await here.page(selections[0]!));
    assert.ok(recorded.statements.length > 2, "a short log is read here");
  });

  it("are read in a thread if there are many jobs, and so are sums and the timeline", async (t) => {
    const database = await openDatabase({ dataDir: createTemporaryFolder() });
    t.after(() => database.close());
    await database.migrate([cronMigrations]);
    await insertManyRuns(database, { count: 5_001, jobs: 5_001, until: 1e12 });
    const recorded = recordStatements(database);
    const here = { ...database, reader: database.tables };
    const { page, sums } = createRunLog(recorded.database);
    const { between } = createRunHistory(recorded.database);
    assert.deepEqual(await page(selections[0]!), await createRunLog(here).page(selections[0]!));
    assert.deepEqual(await sums(), await createRunLog(here).sums());
    const period = [1e12 - 3_600_000, 1e12, 2_000] as const;
    assert.deepEqual(await between(...period), await createRunHistory(here).between(...period));
    for (const statement of recorded.statements) assert.match(statement, / limit \$1 offset \$2$/);
  });
});
