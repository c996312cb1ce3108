/**
 * No read of a superuser may block the requests of others, however much is stored. On SQLite, a query blocks the thread
 * that runs it. So each GET route is called on filled tables, and the rows are counted that its queries visit.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import Sqlite from "better-sqlite3";
import { type Cleanup, share } from "../../src/lib/testing/share.ts";
import { createTemporaryFolder } from "../../src/lib/testing/temporary-folder.ts";
import { listOwnRoutes } from "../support/route-list.ts";
import { type Answer, startRecorded } from "./application.ts";
import { fillFolder } from "./fill.ts";
import { limitedTables } from "./limited-tables.ts";
import { callRoute, urlsOf } from "./requests.ts";
import { createVisitCounter } from "./visits.ts";

/** Takes about ten milliseconds. Each table that is not limited to fewer rows is filled with more. */
const mostInMainThread = 12_500;
/** A query in another thread may read a table and those joined to it once. The largest one has 25,000 rows. */
const mostInOtherThreads = 40_000;

/** Counts each query once. Returns those of a response that visit too many rows. */
function createFinder(t: Cleanup, dataDir: string): (answer: Answer) => string[] {
  const counter = createVisitCounter(dataDir);
  t.after(() => counter.close());
  const counted = new Set<string>();
  return ({ queries }) =>
    queries.flatMap((query) => {
      const key = JSON.stringify(query);
      if (counted.has(key)) return [];
      counted.add(key);
      const most = query.isMain ? mostInMainThread : mostInOtherThreads;
      const { isCut, plan } = counter.count(query, most);
      const place = query.isMain ? "the main thread" : "another thread";
      return isCut ? [`${query.sql}\nvisits more than ${most} rows in ${place}:\n${plan.join("\n")}`] : [];
    });
}

const shared = share(async (t) => {
  const filled = await fillFolder(createTemporaryFolder());
  const { ask } = await startRecorded(t, filled.dataDir);
  return { filled, ask, findExpensive: createFinder(t, filled.dataDir) };
});

const routes = listOwnRoutes().filter(({ method }) => method === "GET");

describe("on filled tables, a route visits few rows in the main thread:", () => {
  for (const { path } of routes)
    it(path, async (t) => {
      const { filled, ask, findExpensive } = await shared();
      const faults = new Map<string, string>();
      let count = 0;
      const check = (requested: string, answer: Answer) => {
        count++;
        const { status, body } = answer;
        const refusal = [400, 401, 403, 500].includes(status) ? [`${status} ${body.slice(0, 500)}`] : [];
        for (const fault of [...refusal, ...findExpensive(answer)])
          if (!faults.has(fault)) faults.set(fault, requested);
      };
      const [first, ...others] = urlsOf(path, filled);
      await callRoute(path, first!, filled, ask, check);
      for (const url of others) check(url, await ask(url));
      t.diagnostic(`${count} requests`);
      assert.deepEqual(
        [...faults].map(([fault, requested]) => `${requested}\n${fault}`),
        [],
      );
    });
});

describe("the test of filled tables", () => {
  it("knows all routes", () => assert.ok(routes.length > 70));

  it("has filled each table that is not limited", async () => {
    const { filled } = await shared();
    const short = ["annex.db", "logs.db", "metrics.db"].flatMap((name) => {
      const file = new Sqlite(join(filled.dataDir, name), { readonly: true });
      const tables = file.prepare(
        "select name from sqlite_schema where type = 'table' and name like 'annex%'",
      );
      const count = (table: string) => file.prepare(`select count(*) from ${table}`).pluck().get() as number;
      const found = (tables.pluck().all() as string[]).filter((table) => count(table) <= mostInMainThread);
      file.close();
      return found;
    });
    assert.deepEqual(
      short.filter((table) => !(table in limitedTables)),
      [],
      "Fill these tables, or add them to limitedTables.",
    );
  });

  // The last test, because it changes the tables.
  it("notices that an index is missing", async (t) => {
    const { filled, ask } = await shared();
    const file = new Sqlite(join(filled.dataDir, "annex.db"));
    file.exec("drop index annex_cron_runs_job_history; drop index annex_cron_queue_retry");
    file.close();
    const findExpensive = createFinder(t, filled.dataDir);
    for (const [path, query] of [
      ["/_/_/data/cron/jobs/job-003", /^select "id", .* from "annex_cron_runs"/],
      [`/api/cron/runs/${filled.run}`, /^select \* from "annex_cron_queue"/],
    ] as const) {
      const found = findExpensive(await ask(path));
      assert.ok(
        found.some((each) => query.test(each)),
        `${path}\n${found.join("\n")}`,
      );
    }
  });
});
