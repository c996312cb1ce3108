import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { createTestApp } from "../src/app/testing/test-app.ts";
import type { SavedView, SavedViewList } from "../src/features/dashboard/wire.ts";
import { type App, type AppOptions, sql } from "../src/index.ts";
import { engines } from "../src/storage/testing/test-database.ts";
import { createTestDatabase } from "./support/postgres.ts";

const password = "correct horse battery staple";
const deadlineMs = 60_000;
const address = "/_/_/logs?range=1h&q=level%3Aerror";

/** A superuser who uses the API of an instance with a token, over a socket. */
async function openAs(url: string, email: string) {
  const request = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    fetch(url + path, {
      method,
      headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(deadlineMs),
    });
  const login = await request("POST", "/api/collections/_superusers/auth-with-password", {
    identity: email,
    password,
  });
  const { token } = (await login.json()) as { token: string };
  const send = (method: string, path = "", body?: unknown) =>
    request(method, `/_/_/data/views${path}`, body, { authorization: `Bearer ${token}` });
  return {
    send,
    list: async () => ((await (await send("GET")).json()) as SavedViewList).views,
    save: async (name: string) => (await (await send("POST", "", { name, address })).json()) as SavedView,
  };
}

async function startWithTwo(t: TestContext, options: AppOptions = {}) {
  const app = createTestApp(t, options);
  const { url } = await app.start();
  for (const email of ["ada@example.com", "bob@example.com"]) await app.superusers.create(email, password);
  return { app, url, ada: await openAs(url, "ada@example.com"), bob: await openAs(url, "bob@example.com") };
}

async function optionsFor(t: TestContext, engine: (typeof engines)[number]): Promise<AppOptions> {
  if (engine === "sqlite") return {};
  const { url, drop } = await createTestDatabase();
  t.after(drop);
  return { database: url };
}

const setReadOnly = async (app: App, mode: "on" | "off") =>
  sql`pragma query_only = ${sql.raw(mode)}`.execute((await app.database()).tables());

describe("saved views", () => {
  for (const engine of engines) {
    it(`belong to one superuser on ${engine}`, async (t) => {
      const { app, url, ada, bob } = await startWithTwo(t, await optionsFor(t, engine));
      const own = await ada.save("Errors");
      // Names are unique for each superuser.
      const other = await bob.save("errors");
      assert.deepEqual(await ada.list(), [own]);
      assert.deepEqual(await bob.list(), [other]);
      assert.equal((await bob.send("PATCH", `/${own.id}`, { name: "Mine now" })).status, 404);
      assert.equal((await bob.send("DELETE", `/${own.id}`)).status, 404);
      const replacing = { name: "ERRORS", address: "/_/_", replace: true };
      assert.equal((await bob.send("POST", "", replacing)).status, 200);
      assert.deepEqual(await ada.list(), [own]);
      await app.superusers.remove("bob@example.com");
      assert.equal((await bob.send("GET")).status, 401);
      // A new account of the same address does not inherit them.
      await app.superusers.create("bob@example.com", password);
      assert.deepEqual(await (await openAs(url, "bob@example.com")).list(), []);
      assert.deepEqual(await ada.list(), [own]);
    });
  }

  it("are the same on every instance of a fleet", async (t) => {
    const options = await optionsFor(t, "postgres");
    const { ada } = await startWithTwo(t, options);
    const second = await createTestApp(t, options).start();
    const elsewhere = await openAs(second.url, "ada@example.com");
    const view = await ada.save("Errors");
    assert.deepEqual(await elsewhere.list(), [view]);
    assert.equal((await elsewhere.send("PATCH", `/${view.id}`, { name: "Failures" })).status, 200);
    assert.equal((await ada.list())[0]!.name, "Failures");
    // Only one of several requests at the same time creates a view of the same name.
    const both = await Promise.all(
      [ada, elsewhere, ada, elsewhere].map((at) => at.send("POST", "", { name: "Same", address })),
    );
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [201, 409, 409, 409]);
    assert.equal((await ada.list()).length, 2);
  });

  it("survive a restart", async (t) => {
    const { app, ada } = await startWithTwo(t);
    const view = await ada.save("Errors");
    const dataDir = app.dataDir;
    await app.stop();
    const again = await createTestApp(t, { dataDir }).start();
    assert.deepEqual(await (await openAs(again.url, "ada@example.com")).list(), [view]);
  });

  it("cannot be changed by a page of another origin", async (t) => {
    const { url } = await startWithTwo(t);
    const signIn = await fetch(`${url}/_/sign-in`, {
      method: "POST",
      headers: { origin: url, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ identity: "ada@example.com", password }).toString(),
      redirect: "manual",
      signal: AbortSignal.timeout(deadlineMs),
    });
    const cookie = signIn.headers
      .getSetCookie()
      .map((each) => each.split(";")[0])
      .join("; ");
    const create = (origin: string) =>
      fetch(`${url}/_/_/data/views`, {
        method: "POST",
        headers: { cookie, origin, "content-type": "application/json" },
        body: JSON.stringify({ name: "Forged", address }),
        signal: AbortSignal.timeout(deadlineMs),
      });
    assert.equal((await create("https://evil.example")).status, 403);
    assert.equal((await create(url)).status, 201);
  });

  it("can be read while the database cannot be written, and a change is refused with the reason", async (t) => {
    const { app, ada } = await startWithTwo(t);
    const view = await ada.save("Errors");
    await setReadOnly(app, "on");
    for (const [method, path, body] of [
      ["POST", "", { name: "New", address }],
      ["PATCH", `/${view.id}`, { name: "Renamed" }],
      ["DELETE", `/${view.id}`],
    ] as const) {
      const refused = await ada.send(method, path, body);
      assert.equal(refused.status, 503, method);
      const { message } = (await refused.json()) as { message: string };
      assert.equal(message, "The database is read-only. The change was not stored.");
    }
    assert.deepEqual(await ada.list(), [view]);
    await setReadOnly(app, "off");
    assert.equal((await ada.send("POST", "", { name: "New", address })).status, 201);
  });
});
