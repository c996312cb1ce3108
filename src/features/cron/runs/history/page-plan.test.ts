import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CompiledQuery } from "kysely";
import type { SortTerm } from "../../../../lib/page.ts";
import { openDatabase } from "../../../../storage/index.ts";
import { recordPlans } from "../../../../storage/testing/query-plans.ts";
import { createTemporaryFolder } from "../../../../storage/testing/temporary-folder.ts";
import { engines, openTestDatabase } from "../../../../storage/testing/test-database.ts";
import { cronMigrations } from "../../tables.ts";
import { insertManyRuns } from "../../testing/many-runs.ts";
import type { Run } from "../run.ts";
import { createRunHistory } from "./run-history.ts";
import { createRunLog } from "./run-log.ts";
import { type RunFilter, type RunSortField, runSortFields } from "./run-selection.ts";

const by = (field: RunSortField, isDescending = false): SortTerm<RunSortField> => ({ field, isDescending });

const count = 20_000;
const until = 1_000_000_000_000;
const hours = (number: number) => number * 3_600_000;

/** One in ten runs failed, and all were started by their schedule, one a minute, by 50 jobs. */
const filters: Record<string, RunFilter> = {
  none: {},
  job: { jobId: "job7" },
  trace: { traceId: "trace77" },
  success: { statuses: ["success"] },
  failed: { statuses: ["failed"] },
  "not running": { statuses: ["failed", "success", "timeout", "interrupted"] },
  "bad ends": { statuses: ["failed", "timeout", "interrupted"] },
  schedule: { triggers: ["schedule"] },
  manual: { triggers: ["manual", "retry"] },
  "manual or schedule": { triggers: ["manual", "schedule"] },
  "from an hour ago": { from: until - hours(1) },
  "until an hour after the begin": { to: until - count * 60_000 + hours(1) },
  "a day": { from: until - hours(100), to: until - hours(76) },
  "nearly all times": { from: until - count * 60_000 + hours(1) },
  "failed recently": { statuses: ["failed"], from: until - hours(3) },
  "success by schedule, nearly always": {
    ...{ statuses: ["success"], triggers: ["schedule"], from: until - count * 60_000 + hours(1) },
  },
  "failed runs of a job": { jobId: "job7", statuses: ["failed", "timeout"], from: until - hours(300) },
  "a job by schedule": { jobId: "job7", triggers: ["schedule"] },
};

const sorts: SortTerm<RunSortField>[][] = [
  ...runSortFields.flatMap((field) => [[by(field)], [by(field, true)]]),
  [by("job_name"), by("start_time", true)],
  [by("status", true), by("duration_ms")],
];

for (const engine of engines) {
  describe(`pages of the run log on ${engine}`, () => {
    it("contain each matching run once, in order, for every sort field and filter", async (t) => {
      const database = await openTestDatabase(t, engine, cronMigrations);
      await insertManyRuns(database, { count: 400, jobs: 7, until });
      const log = createRunLog(database);
      const { items: everything } = await log.page({ page: 1, perPage: 1_000, sort: [by("id")] });
      assert.equal(everything.length, 400);
      const some = { ...filters, "a day": { from: until - hours(5), to: until - hours(2) } };
      for (const [name, filter] of Object.entries(some))
        for (const sort of sorts) {
          const what = `${name} ${JSON.stringify(sort)}`;
          const wanted = everything.filter((run) => matches(run, filter));
          const found: Run[] = [];
          for (let page = 1; page <= Math.ceil(wanted.length / 70) + 1; page++) {
            const { totalItems, items } = await log.page({ ...filter, page, perPage: 70, sort });
            assert.equal(totalItems, wanted.length, what);
            found.push(...items);
          }
          assert.deepEqual(ids(found).sort(), ids(wanted).sort(), what);
          for (const [index, run] of found.slice(1).entries())
            assert.ok(compare(found[index]!, run, sort) <= 0, `${what} at ${index}`);
        }
    });
  });
}

describe("reads of a long run log on SQLite", () => {
  it("visit few runs, for every sort field, every filter, and the first and last page", async (t) => {
    const { database, recorded, explain } = await openFilled();
    t.after(() => database.close());
    const log = createRunLog(recorded);
    for (const [name, filter] of Object.entries(filters)) {
      const { totalItems: total } = await log.page({
        ...filter,
        page: 1,
        perPage: 20,
        sort: [by("start_time")],
      });
      for (const field of runSortFields)
        for (const page of [1, 2, Math.ceil(total / 40), Math.ceil(total / 20)].filter((page) => page > 0)) {
          explain.take();
          await log.page({ ...filter, page, perPage: 20, sort: [by(field, true)] });
          const plans = await explain.take();
          const text = `${name}, ${field}, page ${page} of ${total} runs\n${plans.join("\n---\n")}`;
          for (const plan of plans) assert.doesNotMatch(plan, /SCAN annex_cron_runs(?! USING)/, text);
          const nearest = Math.min(page * 20, total - (page - 1) * 20);
          // A full sort reads all matching runs. That is right only if there are fewer of them than on the way.
          const sortsAll = plans.some((plan) => /TEMP B-TREE FOR ORDER BY/.test(inner(plan)));
          const onTheWay = (nearest / total) * count;
          if (sortsAll) assert.ok(total <= onTheWay, text);
          if (plans.some((plan) => /SCAN annex_cron_runs USING/.test(inner(plan))))
            assert.ok(onTheWay <= total + 20, text);
        }
    }
  });

  it("count no run that is already counted", async (t) => {
    const { database, recorded, explain } = await openFilled();
    t.after(() => database.close());
    const log = createRunLog(recorded);
    const page = { page: 1, perPage: 20, sort: [by("start_time", true)] };
    for (const filter of [{}, { statuses: ["success"] }, { triggers: ["schedule"] }] as RunFilter[]) {
      explain.take();
      await log.page({ ...page, ...filter });
      const plans = (await explain.take()).slice(1);
      for (const plan of plans.filter((plan) => !plan.includes("LIST SUBQUERY"))) {
        // Only runs in progress, or with another status or trigger, are counted.
        for (const step of plan.split("\n").filter((step) => step.includes("annex_cron_runs")))
          assert.match(step, /SEARCH .*(status=\?|trigger=\?)/, plan);
      }
    }
  });

  it("for charts are found in indexes", async (t) => {
    const { database, recorded, explain } = await openFilled();
    t.after(() => database.close());
    const history = createRunHistory(recorded);
    await history.ofJobs(["job1", "job2"]);
    await history.inProgress();
    await history.between(until - hours(24), until, 2_000);
    await history.latest("job1", 500);
    await history.oldestEnd();
    const plans = await explain.take();
    assert.equal(plans.length, 6);
    for (const plan of plans) {
      assert.doesNotMatch(plan, /SCAN (annex_cron_runs|earlier)(?! USING)/, plan);
      assert.doesNotMatch(plan, /SCAN annex_cron_runs USING INDEX annex_cron_runs_(duration|name)/, plan);
    }
  });
});

/** A filled log without statistics, as in an application, whose queries can be explained. */
async function openFilled() {
  const dataDir = createTemporaryFolder();
  {
    await using filled = await openDatabase({ dataDir });
    await filled.migrate([cronMigrations]);
    await insertManyRuns(filled, { count, jobs: 50, until });
    await filled.tables().executeQuery(CompiledQuery.raw("drop table if exists sqlite_stat1"));
  }
  const database = await openDatabase({ dataDir });
  const explain = recordPlans(database);
  // The thread would read the pages of a log of this length.
  const recorded = { ...explain.recorded, reader: explain.recorded.tables };
  return { database, recorded, explain };
}

/** The part of the plan that finds the runs. The other reads and sorts those of the page. */
const inner = (plan: string) =>
  plan.slice(plan.indexOf("LIST SUBQUERY")).replace(/USE TEMP B-TREE FOR ORDER BY$/, "");

const ids = (runs: readonly Run[]) => runs.map(({ id }) => id);

function matches(run: Run, { jobId, traceId, statuses, triggers, from, to }: RunFilter): boolean {
  const start = run.startedAt.getTime();
  return (
    (jobId === undefined || run.jobId === jobId) &&
    (traceId === undefined || run.traceId === traceId) &&
    (statuses === undefined || statuses.includes(run.status)) &&
    (triggers === undefined || triggers.includes(run.trigger)) &&
    (from === undefined || start >= from) &&
    (to === undefined || start < to)
  );
}

const readField: Record<RunSortField, (run: Run) => string | number> = {
  start_time: (run) => run.startedAt.getTime(),
  end_time: (run) => run.endedAt?.getTime() ?? 0,
  duration_ms: (run) => run.durationMs ?? 0,
  status: (run) => run.status,
  job_id: (run) => run.jobId,
  job_name: (run) => run.jobName,
  id: (run) => run.id,
};

function compare(one: Run, other: Run, sort: readonly SortTerm<RunSortField>[]): number {
  for (const { field, isDescending } of sort) {
    const [a, b] = [readField[field](one), readField[field](other)];
    if (a !== b) return (a < b ? -1 : 1) * (isDescending ? -1 : 1);
  }
  return 0;
}
