import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, describe, it, type TestContext } from "node:test";
import { sql } from "kysely";
import { createTestApp } from "../src/app/testing/test-app.ts";
import type { App, AppOptions } from "../src/index.ts";
import { eventually } from "../src/lib/testing/until.ts";
import type { Migration } from "../src/storage/index.ts";
import { startDatabaseProxy } from "./support/database-proxy.ts";
import { freezePostgres } from "./support/frozen-postgres.ts";
import { startPostgres, type TestServer } from "./support/postgres.ts";

const ada = { identity: "ada@example.com", password: "correct horse battery" };
const deadlineMs = 60_000;

/** A server of its own: the one that is shared must not be frozen. */
let server: TestServer;
before(async () => {
  server = await startPostgres();
});
after(() => server.stop());

async function startApp(t: TestContext, options: AppOptions = {}) {
  // Connecting has this long, too, also on a busy machine.
  const app = createTestApp(t, { database: server.url, databaseTimeoutMs: 2_000, ...options });
  app.onServe(({ router }) => {
    router.get("/plain", (e) => e.text(200, "fine"));
    router.get("/query", async (e) => {
      await sql`select 1`.execute((await app.database()).tables());
      return e.text(200, "fine");
    });
    router.get("/transaction", async (e) => {
      await (await app.database()).transaction(async (trx) => {
        await sql`select 1`.execute(trx);
        await sql`select 2`.execute(trx);
      });
      return e.text(200, "fine");
    });
  });
  const { url } = await app.start();
  if ((await app.superusers.list()).length === 0) await app.superusers.create(ada.identity, ada.password);
  const get = (path: string, headers = {}) =>
    fetch(url + path, { headers, signal: AbortSignal.timeout(deadlineMs) });
  const postSignIn = () =>
    fetch(url + signInPath, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(ada),
      signal: AbortSignal.timeout(deadlineMs),
    });
  return { app, url, get, postSignIn };
}

const signInPath = "/api/collections/_superusers/auth-with-password";

async function signIn(app: App): Promise<Record<string, string>> {
  const login = await app.inject({ method: "POST", url: signInPath, body: ada });
  return { authorization: `Bearer ${login.json<{ token: string }>().token}` };
}

async function freeze(t: TestContext) {
  const frozen = await freezePostgres(server.url);
  t.after(frozen.thaw);
  return frozen;
}

describe("while PostgreSQL is frozen", () => {
  it("requests that need it get 503 in time, others work, and everything recovers", async (t) => {
    const { app, get, postSignIn } = await startApp(t);
    const headers = await signIn(app);
    for (const path of ["/query", "/transaction", "/api/health/ready"])
      assert.equal((await get(path)).status, 200, path);
    const frozen = await freeze(t);
    const paths = ["/query", "/transaction", "/_/_/data/now", "/_/_/data/logs", "/_/_/data/requests"];
    // More at a time than there are connections.
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => paths)
        .flat()
        .map(async (path) => ({ path, response: await get(path, headers) })),
    );
    responses.push({ path: "sign-in", response: await postSignIn() });
    for (const { path, response } of responses) {
      assert.equal(response.status, 503, path);
      assert.ok(Number(response.headers.get("retry-after")) > 0, path);
    }
    assert.equal((await get("/plain")).status, 200);
    const ready = await get("/api/health/ready");
    assert.equal(ready.status, 503);
    assert.partialDeepStrictEqual(await ready.json(), { status: "unavailable", reason: "unavailable" });
    assert.partialDeepStrictEqual(await (await get("/api/health")).json(), { status: "degraded" });
    frozen.thaw();
    await eventually(async () => (await get("/api/health/ready")).status === 200);
    for (const path of ["/query", "/transaction"]) assert.equal((await get(path)).status, 200, path);
    assert.equal((await get("/_/_/data/now", headers)).status, 200);
  });

  for (const when of ["just now", "for a while"]) {
    it(`the application stops within its grace period if it froze ${when}`, async (t) => {
      const graceMs = 20_000;
      const { app, get } = await startApp(t, { shutdown: { graceMs } });
      const frozen = await freeze(t);
      if (when === "for a while") assert.equal((await get("/query")).status, 503);
      const late = AbortSignal.timeout(graceMs);
      const winner = await Promise.race([app.stop().then(() => "stopped"), once(late, "abort")]);
      assert.equal(winner, "stopped");
      frozen.thaw();
    });
  }

  it("a slow query of the application is cancelled after databaseTimeoutMs, and no other fails", async (t) => {
    const { app, get } = await startApp(t);
    const database = await app.database();
    const slow = sql`select pg_sleep(600)`.execute(database.tables());
    await assert.rejects(slow, { code: "DATABASE_UNAVAILABLE", status: 503 });
    assert.equal(database.problem, undefined);
    assert.equal((await get("/query")).status, 200);
  });

  it("a migration takes as long as it needs", async (t) => {
    const up: Migration["up"] = async (db) => void (await sql`select pg_sleep(3)`.execute(db));
    const app = createTestApp(t, {
      database: server.url,
      // Connecting has this long, too, also on a busy machine.
      databaseTimeoutMs: 2_000,
      migrations: { "001-slow": { up } },
    });
    await app.database();
  });
});

describe("while a network silently drops the open connections to PostgreSQL", () => {
  it("each pool notices it, replaces all of its connections and recovers", async (t) => {
    const proxy = await startDatabaseProxy(t, server.url);
    // Connections that are never closed as unused are closed only if they are known to be broken.
    const { app, get, postSignIn } = await startApp(t, { database: proxy.url, databaseIdleTimeoutMs: 0 });
    const headers = await signIn(app);
    // The database of the application, the log store and the background thread.
    const paths = ["/query", "/transaction", "/_/_/data/logs", "/_/_/data/routes", "/api/health/ready"];
    const read = () => Promise.all(paths.map(async (path) => (await get(path, headers)).status));
    await eventually(async () => (await read()).every((status) => status === 200));
    const transaction = (await app.database()).transaction(async (trx) => {
      await sql`select 1`.execute(trx);
      proxy.silence();
      assert.ok(proxy.silenced > 2);
      await sql`select 2`.execute(trx);
    });
    await assert.rejects(transaction, { code: "DATABASE_UNAVAILABLE" });
    await eventually(async () => (await read()).every((status) => status === 200));
    await eventually(async () => (await postSignIn()).status === 200);
    // The background thread and the log writer notice it with their next write.
    await eventually(() => proxy.silenced === 0);
  });
});
