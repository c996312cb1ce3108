import assert from "node:assert/strict";
import { after, describe, it, type TestContext } from "node:test";
import { createTestApp } from "../src/app/testing/test-app.ts";
import { createCountStore } from "../src/features/rate-limits/count-store.ts";
import { type App, type AppOptions, rateLimit } from "../src/index.ts";
import { until } from "../src/lib/testing/until.ts";
import { startDatabaseProxy } from "./support/database-proxy.ts";
import { createTestDatabase, type TestDatabase } from "./support/postgres.ts";

const created: TestDatabase[] = [];
after(() => Promise.all(created.map(({ drop }) => drop())));

async function createDatabase(): Promise<string> {
  const database = await createTestDatabase();
  created.push(database);
  return database.url;
}

interface Instance {
  readonly app: App;
  /** Sends requests one after another. Returns how many were allowed. */
  send(count: number): Promise<number>;
}

/** The window is long, so that it does not end during a test. */
async function startInstance(t: TestContext, options: AppOptions, limit = 100): Promise<Instance> {
  const app = createTestApp(t, { databaseTimeoutMs: 60_000, ...options });
  app.onServe(({ router }) => {
    router.get("/limited", (e) => e.noContent()).bind(rateLimit({ limit, per: "1d" }));
  });
  const { url } = await app.start();
  const send = async (count: number) => {
    let allowed = 0;
    for (let index = 0; index < count; index++) {
      const { status } = await fetch(`${url}/limited`);
      assert.ok(status === 204 || status === 429, `${status}`);
      if (status === 204) allowed++;
    }
    return allowed;
  };
  return { app, send };
}

interface Row {
  readonly key: string;
  readonly count: number;
}

async function readCounts(app: App): Promise<number[]> {
  const db = (await app.database()).tables<{ annex_rate_limits: Row }>();
  const rows = await db.selectFrom("annex_rate_limits").select("count").execute();
  return rows.map(({ count }) => count);
}

async function stored(app: App, count: number): Promise<void> {
  await until(`${count} requests are stored`, async () => (await readCounts(app)).join() === String(count));
}

describe("a rate limit on PostgreSQL", () => {
  it("applies to the requests to all instances together", async (t) => {
    const database = await createDatabase();
    const [one, other] = await Promise.all([
      startInstance(t, { database, instance: "one" }),
      startInstance(t, { database, instance: "other" }),
    ]);
    assert.equal(await one.send(101), 100);
    await stored(one.app, 100);
    // The other instance learns of them with its own first request.
    assert.equal(await other.send(1), 1);
    await stored(one.app, 101);
    let allowed = 0;
    await until("the other instance refuses requests", async () => {
      const isAllowed = (await other.send(1)) === 1;
      if (isAllowed) allowed++;
      return !isAllowed;
    });
    assert.ok(allowed < 99, `${allowed}`);
  });

  it("counts the requests that an instance has received before it stops", async (t) => {
    const database = await createDatabase();
    const one = await startInstance(t, { database });
    const reader = await startInstance(t, { database });
    await one.send(3);
    await one.app.stop();
    assert.deepEqual(await readCounts(reader.app), [3]);
  });

  it("applies per instance while the database is gone, and requests do not wait for it", async (t) => {
    const database = await createDatabase();
    const proxy = await startDatabaseProxy(t, database);
    const reader = await startInstance(t, { database });
    // Long enough for the start of an application on a busy machine.
    const cutOff = await startInstance(t, { database: proxy.url, databaseTimeoutMs: 10_000 }, 10);
    await cutOff.send(1);
    await stored(reader.app, 1);
    proxy.isUp = false;
    proxy.silence();
    assert.equal(await cutOff.send(20), 9);
    proxy.isUp = true;
    // A count whose response was lost is added twice.
    await until("the counts are stored", async () => Number((await readCounts(reader.app))[0]) >= 10);
  });

  it("adds counts of several instances exactly, in any order of keys", async (t) => {
    const database = await createDatabase();
    const { app } = await startInstance(t, { database });
    const store = createCountStore(() => app.database());
    const keys = Array.from({ length: 50 }, (_, index) => `key ${index}`);
    const adding = Array.from({ length: 40 }, (_, index) => {
      const ordered = index % 2 === 0 ? keys : keys.toReversed();
      return store.add(ordered.map((key) => ({ key, count: 2, remainingMs: 3_600_000 })));
    });
    const results = await Promise.all(adding);
    assert.deepEqual(new Set(await readCounts(app)), new Set([80]));
    const seen = results.flatMap((counts) => counts.filter(({ key }) => key === "key 7"));
    assert.deepEqual(
      seen.map(({ count }) => count).sort((a, b) => a - b),
      Array.from({ length: 40 }, (_, index) => 2 * (index + 1)),
    );
    for (const { remainingMs } of seen)
      assert.ok(remainingMs > 0 && remainingMs <= 3_600_000, `${remainingMs}`);
  });

  it("begins again when the window has ended, and expired counts are deleted", async (t) => {
    const database = await createDatabase();
    const { app } = await startInstance(t, { database });
    const store = createCountStore(() => app.database());
    const add = async (key: string, count: number, remainingMs: number) =>
      (await store.add([{ key, count, remainingMs }]))[0];
    await add("a", 5, -1);
    await add("b", 5, 3_600_000);
    assert.equal((await add("a", 2, 3_600_000))?.count, 2);
    assert.equal((await add("b", 2, 3_600_000))?.count, 7);
    await add("c", 1, -1);
    assert.equal(await store.purge(), false);
    assert.deepEqual((await readCounts(app)).sort(), [2, 7]);
  });
});

describe("a rate limit on SQLite", () => {
  it("applies to the requests to this process, without the database", async (t) => {
    const { app, send } = await startInstance(t, {}, 3);
    assert.equal(await send(5), 3);
    assert.deepEqual(await readCounts(app), []);
  });
});
