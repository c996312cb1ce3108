import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { describe, it, type TestContext, test } from "node:test";
import { Worker } from "node:worker_threads";
import { startDatabaseProxy } from "../../../tests/support/database-proxy.ts";
import { createTestDatabase } from "../../../tests/support/postgres.ts";
import type { ApiError } from "../../lib/errors/errors.ts";
import { FakeClock } from "../../lib/testing/fake-clock.ts";
import { until } from "../../lib/testing/until.ts";
import { guardPool } from "./guarded-pool.ts";
import { createPool } from "./pool.ts";
import type { PostgresOptions } from "./postgres-options.ts";
import { createStatementLimits } from "./statement-limits.ts";

async function open(
  t: TestContext,
  { isDirect = false, ...options }: PostgresOptions & { isDirect?: boolean },
) {
  const { url, drop } = await createTestDatabase();
  const proxy = await startDatabaseProxy(t, url);
  const pool = createPool(isDirect ? url : proxy.url, { idleTimeoutMs: 0, ...options });
  const clock = new FakeClock(0);
  const { responseTimeoutMs } = options;
  const limits = createStatementLimits(pool);
  const guarded = guardPool({ pool, limits, responseTimeoutMs, place: "test", clock });
  t.after(async () => {
    const closing = guarded.end();
    clock.advance(1_000);
    await closing;
    await drop();
  });
  return { proxy, guarded, clock, url };
}

test("a query without a response closes the unused connections too, so that a new one is tried", async (t) => {
  const { proxy, guarded } = await open(t, { poolSize: 4, responseTimeoutMs: 1_000 });
  const clients = await Promise.all([1, 2, 3, 4].map(() => guarded.connect()));
  for (const client of clients) client.release();
  proxy.silence();
  assert.equal(proxy.silenced, 4);
  const client = await guarded.connect();
  await assert.rejects(client.query("select 1", []), { code: "DATABASE_UNAVAILABLE" });
  client.release();
  // The clock stands still, so the server is not queried a second time.
  await until("all connections are closed", () => proxy.silenced === 0);
  await until("the server has responded", () => guarded.problem === undefined);
  const next = await guarded.connect();
  await next.query("select 1", []);
  next.release();
});

test("if all connections are in use, the error names the option", async (t) => {
  const { guarded } = await open(t, { poolSize: 1, connectTimeoutMs: 3_000 });
  const client = await guarded.connect();
  await assert.rejects(guarded.connect(), (error: ApiError) => {
    assert.equal(error.code, "DATABASE_UNAVAILABLE");
    assert.match((error.cause as Error).message, /All connections .* in use\. Raise databasePoolSize/);
    return true;
  });
  assert.equal(guarded.problem, undefined);
  client.release();
});

/**
 * Blocks the event loop for longer than `ms`, and until the server has sent its responses or as much of them as fits
 * into the buffers. Another thread asks the server for that.
 */
function blockEventLoop(ms: number, url: string): void {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const watch = `
    const { workerData: { flag, url, ms, pg } } = require("node:worker_threads");
    const { Client } = require(pg);
    const open = "select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()" +
      " and backend_type = 'client backend' and state <> 'idle' and wait_event is distinct from 'ClientWrite'";
    (async () => {
      const client = new Client({ connectionString: url });
      await client.connect();
      await new Promise((resolve) => setTimeout(resolve, ms));
      while ((await client.query(open)).rows[0].count !== "0") await new Promise((resolve) => setTimeout(resolve, 20));
      // Before the test goes on, because its end drops the database, and with it this connection.
      await client.end();
      Atomics.store(flag, 0, 1);
      Atomics.notify(flag, 0);
    })();`;
  const pg = createRequire(import.meta.url).resolve("pg");
  const worker = new Worker(watch, { eval: true, workerData: { flag, url, ms, pg } });
  worker.unref();
  assert.equal(Atomics.wait(flag, 0, 0, 60_000), "ok");
}

describe("after the event loop was blocked for longer than the timeouts", () => {
  for (const [size, text] of [
    ["a small", "select 1 as value"],
    ["a large", "select repeat('x', 1000) as value from generate_series(1, 20000)"],
  ] as const) {
    it(`reads ${size} response that has arrived`, async (t) => {
      const { guarded, url } = await open(t, { isDirect: true, responseTimeoutMs: 500 });
      const client = await guarded.connect();
      const response = client.query(text, []);
      blockEventLoop(1_000, url);
      assert.ok((await response).rows.length > 0);
      client.release();
      assert.equal(guarded.problem, undefined);
    });
  }

  it("connects once more", async (t) => {
    const { guarded, url } = await open(t, { isDirect: true, connectTimeoutMs: 2_000 });
    const connecting = guarded.connect();
    blockEventLoop(3_000, url);
    const client = await connecting;
    await client.query("select 1", []);
    client.release();
  });

  it("notices a connection that is silent", async (t) => {
    const { guarded, proxy, url } = await open(t, { responseTimeoutMs: 500 });
    const client = await guarded.connect();
    proxy.silence();
    const response = client.query("select 1", []);
    blockEventLoop(1_000, url);
    await assert.rejects(response, { code: "DATABASE_UNAVAILABLE" });
    client.release();
  });
});
