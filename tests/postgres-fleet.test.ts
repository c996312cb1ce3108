import assert from "node:assert/strict";
import { after, describe, it, type TestContext } from "node:test";
import { sql } from "kysely";
import pg from "pg";
import { createTestApp } from "../src/app/testing/test-app.ts";
import type { App, AppOptions } from "../src/index.ts";
import { eventually } from "../src/lib/testing/until.ts";
import { createTestDatabase, type TestDatabase } from "./support/postgres.ts";
import { startTransactionPooler } from "./support/transaction-pooler.ts";

const ada = { identity: "ada@example.com", password: "correct horse battery" };

const created: TestDatabase[] = [];
after(() => Promise.all(created.map(({ drop }) => drop())));

async function createDatabase(): Promise<string> {
  const database = await createTestDatabase();
  created.push(database);
  return database.url;
}

interface Instance {
  readonly app: App;
  readonly url: string;
}

/** Starts instances of one application at the same time. */
function startFleet(t: TestContext, count: number, options: AppOptions): Promise<Instance[]> {
  const instances = Array.from({ length: count }, async (_, index) => {
    // A busy machine must not cause timeouts.
    const app = createTestApp(t, { databaseTimeoutMs: 60_000, instance: `n${index}`, ...options });
    app.jobs.registerJob("hello", "Hello", "", "0 6 1 1 *", (log) => log.info("hello"));
    app.onServe(({ router }) => {
      router.get("/query", async (e) => {
        const { rows } = await sql<{ one: number }>`select ${1}::int as one`.execute(
          (await app.database()).tables(),
        );
        return e.json(200, rows);
      });
    });
    const { url } = await app.start();
    return { app, url };
  });
  return Promise.all(instances);
}

/** Uses every kind of storage: accounts, jobs, the log, the history of the background thread. */
async function useInstances(instances: readonly Instance[]): Promise<void> {
  const [first] = instances;
  await first!.app.superusers.create(ada.identity, ada.password);
  const login = await first!.app.inject({
    method: "POST",
    url: "/api/collections/_superusers/auth-with-password",
    body: ada,
  });
  const headers = { authorization: `Bearer ${login.json<{ token: string }>().token}` };
  await Promise.all(instances.map((instance) => useInstance(instance, headers)));
}

async function useInstance({ app, url }: Instance, headers: Record<string, string>): Promise<void> {
  const get = async (path: string) => (await fetch(url + path, { headers })).status;
  const paths = ["/query", "/_/_/data/logs", "/_/_/data/routes", "/_/_/data/cron/jobs", "/api/health/ready"];
  // More at a time than there are connections.
  const burst = await Promise.all(Array.from({ length: 4 }, () => paths.map(get)).flat());
  assert.deepEqual(new Set(burst), new Set([200]));
  await eventually(async () => {
    const run = await fetch(`${url}/api/cron/jobs/hello/run`, { method: "POST", headers });
    // Another instance may be running it.
    if (run.status === 409) return false;
    assert.ok(run.ok, `${run.status}`);
    return true;
  });
  app.logger.info("needle");
  await eventually(async () => (await app.logs.search({ text: "needle" })).items.length > 0);
}

describe("a fleet", () => {
  it("works through a pooler in transaction mode", async (t) => {
    const pooler = await startTransactionPooler(t, await createDatabase(), { servers: 4 });
    await useInstances(await startFleet(t, 2, { database: pooler.url }));
    assert.ok(pooler.refused.length > 0);
    assert.deepEqual(await pooler.queryServers("show statement_timeout"), ["0", "0", "0", "0"]);
  });

  it("starts on an empty database with serializable isolation, with a pool of two connections", async (t) => {
    const database = await createDatabase();
    const observer = new pg.Client({ connectionString: database });
    await observer.connect();
    t.after(() => observer.end());
    const name = observer.escapeIdentifier(new URL(database).pathname.slice(1));
    await observer.query(`alter database ${name} set default_transaction_isolation = 'serializable'`);
    const instances = await startFleet(t, 3, { database, databasePoolSize: 2 });
    await useInstances(instances);
    const { rows } = await observer.query(
      "select count(*)::int as count from pg_stat_activity where datname = current_database() and application_name = 'annex'",
    );
    const perInstance = 2 + 4;
    assert.ok(rows[0].count <= instances.length * perInstance, `${rows[0].count} connections`);
  });

  it("works with a pool of one connection", async (t) => {
    await useInstances(await startFleet(t, 1, { database: await createDatabase(), databasePoolSize: 1 }));
  });
});
