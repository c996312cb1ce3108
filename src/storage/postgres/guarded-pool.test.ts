import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { startDatabaseProxy } from "../../../tests/support/database-proxy.ts";
import { createTestDatabase } from "../../../tests/support/postgres.ts";
import type { ApiError } from "../../lib/errors/errors.ts";
import { FakeClock } from "../../lib/testing/fake-clock.ts";
import { until } from "../../lib/testing/until.ts";
import { guardPool } from "./guarded-pool.ts";
import { createPool, type PostgresOptions } from "./pool.ts";
import { createStatementLimits } from "./statement-limits.ts";

async function open(t: TestContext, options: PostgresOptions) {
  const { url, drop } = await createTestDatabase();
  const proxy = await startDatabaseProxy(t, url);
  const pool = createPool(proxy.url, { idleTimeoutMs: 0, ...options });
  const clock = new FakeClock(0);
  const guarded = guardPool({ pool, limits: createStatementLimits(pool), place: "test", clock });
  t.after(async () => {
    const closing = guarded.end();
    clock.advance(1_000);
    await closing;
    await drop();
  });
  return { proxy, guarded, clock };
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
