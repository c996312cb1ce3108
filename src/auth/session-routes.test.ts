import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { settle } from "../lib/testing/fake-clock.ts";
import { engines } from "../storage/testing/test-database.ts";
import type { AccessEvent } from "./access-event.ts";
import type { AuthTables } from "./tables.ts";
import { ada, createOwnedServer, createTestServer, logIn, openTestDatabase } from "./testing/server.ts";

const collection = "/api/collections/_superusers";
const sessions = `${collection}/sessions`;
const minutes = 60_000;
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0";

interface SessionRecord {
  id: string;
  kind: string;
  address: string | null;
  agent: string;
  signedIn: string;
  lastUsed: string;
  expires: string;
  current: boolean;
}

async function createServer(
  t: TestContext,
  options: NonNullable<Parameters<typeof createOwnedServer>[1]> = {},
) {
  const events: AccessEvent[] = [];
  const server = await createOwnedServer(t, { onAccess: (event) => void events.push(event), ...options });
  const asked = (method: string, url: string, token = server.token) =>
    server.inject({ method, url, headers: { authorization: token } });
  const list = async (token?: string) =>
    (await asked("GET", sessions, token)).json<{ items: SessionRecord[] }>().items;

  /** Signs in with a browser, and gives the cookie. */
  async function signIn(): Promise<string> {
    const response = await server.inject({
      method: "POST",
      url: "/_/sign-in",
      headers: { "sec-fetch-site": "same-origin", "user-agent": firefox },
      remoteAddress: "203.0.113.7",
      body: new URLSearchParams(ada),
    });
    return response.headers["set-cookie"]![0]!.split(";")[0]!;
  }
  const isSignedIn = async (cookie: string) =>
    (await server.inject({ url: sessions, headers: { cookie } })).status === 200;
  return { ...server, events, asked, list, signIn, isSignedIn };
}

for (const engine of engines) {
  describe(`sessions on ${engine}`, () => {
    test("are listed with client, address and times, the current one marked", async (t) => {
      const { clock, list, signIn, token } = await createServer(t, {
        store: await openTestDatabase(t, engine),
      });
      clock.advance(1_000);
      await signIn();
      const [program, browser, ...rest] = await list();
      const iso = (ms: number) => new Date(clock.now() + ms).toISOString();
      const week = 7 * 86_400_000;
      assert.deepEqual(browser, {
        id: browser!.id,
        kind: "session",
        address: "203.0.113.7",
        agent: "Firefox on Linux",
        signedIn: iso(0),
        lastUsed: iso(0),
        expires: iso(week),
        current: false,
      });
      assert.partialDeepStrictEqual(program, { kind: "token", signedIn: iso(-1_000), current: true });
      assert.deepEqual(rest, []);
      assert.equal(token.includes(program!.id), false);
    });

    test("do not reveal the token or its stored digest", async (t) => {
      const { asked, database, token } = await createServer(t, { store: await openTestDatabase(t, engine) });
      const { body } = await asked("GET", sessions);
      const rows = await database.tables<AuthTables>().selectFrom("annex_tokens").selectAll().execute();
      assert.equal(rows.length, 1);
      for (const secret of [rows[0]!.hash, token, token.split(".")[2]!]) assert.ok(!body.includes(secret));
    });

    test("show the last use, at most a minute late", async (t) => {
      const { clock, list, inject, signIn, auth } = await createServer(t, {
        store: await openTestDatabase(t, engine),
      });
      const cookie = await signIn();
      clock.advance(10 * minutes);
      await inject({
        url: sessions,
        headers: { cookie, "user-agent": "curl/8.5.0" },
        remoteAddress: "198.51.100.9",
      });
      const used = new Date(clock.now()).toISOString();
      await auth.close();
      const session = (await list()).find(({ kind }) => kind === "session");
      assert.partialDeepStrictEqual(session, {
        lastUsed: used,
        address: "198.51.100.9",
        agent: "curl",
      });
    });

    test("end one by one, each immediately", async (t) => {
      const { asked, list, signIn, isSignedIn, events } = await createServer(t, {
        store: await openTestDatabase(t, engine),
      });
      const [first, second] = [await signIn(), await signIn()];
      const [{ id } = { id: "" }] = (await list()).filter(({ kind }) => kind === "session");
      assert.equal((await asked("DELETE", `${sessions}/${id}`)).status, 204);
      assert.deepEqual([await isSignedIn(first), await isSignedIn(second)].sort(), [false, true]);
      assert.equal((await asked("DELETE", `${sessions}/${id}`)).status, 404);
      assert.partialDeepStrictEqual(events.at(-1), {
        kind: "session-revoked",
        account: ada.identity,
        actor: ada.identity,
        detail: "Firefox on Linux at 203.0.113.7",
        origin: { address: "127.0.0.1" },
      });
    });

    test("of others are unknown", async (t) => {
      const server = await createServer(t, { store: await openTestDatabase(t, engine) });
      const grace = { identity: "grace@example.com", password: "compiler bug" };
      await server.auth.superusers.create(grace.identity, grace.password);
      const token = await logIn(server, grace);
      assert.equal((await server.list(token)).length, 1);
      const [{ id } = { id: "" }] = await server.list();
      for (const other of [id, "nothing", "%20", "a".repeat(500)])
        assert.equal((await server.asked("DELETE", `${sessions}/${other}`, token)).status, 404, other);
      assert.equal((await server.list()).length, 1);
    });

    test("all but the current one end together, also one that is being renewed", async (t) => {
      const server = await createServer(t, { store: await openTestDatabase(t, engine) });
      const { asked, signIn, isSignedIn, list, events } = server;
      const cookie = await signIn();
      const stolen = await logIn(server);
      const [, renewed] = await Promise.all([
        asked("DELETE", sessions),
        asked("POST", `${collection}/auth-refresh`, stolen),
      ]);
      assert.equal(await isSignedIn(cookie), false);
      assert.equal((await asked("GET", sessions, stolen)).status, 401);
      if (renewed.status === 200) {
        const { token } = renewed.json<{ token: string }>();
        assert.equal((await asked("GET", sessions, token)).status, 401);
      }
      assert.deepEqual(
        (await list()).map(({ current }) => current),
        [true],
      );
      assert.partialDeepStrictEqual(events.at(-1), {
        kind: "session-revoked",
        detail: "All other sessions and tokens",
      });
    });

    test("that have been ended are not renewed", async (t) => {
      const { asked, token, auth } = await createServer(t, { store: await openTestDatabase(t, engine) });
      await asked("POST", `${collection}/auth-logout`);
      assert.equal((await asked("POST", `${collection}/auth-refresh`, token)).status, 401);
      assert.deepEqual(await auth.countSessions(), { browsers: 0, tokens: 0 });
    });

    test("end after an idle time, exactly, and a use on any instance counts", async (t) => {
      const store = await openTestDatabase(t, engine);
      const { clock, signIn, isSignedIn, auth } = await createServer(t, { store, idleMs: 5 * minutes });
      const other = await createTestServer(t, { store, clock, idleMs: 5 * minutes });
      const cookie = await signIn();
      clock.jump(4 * minutes);
      assert.equal((await other.inject({ url: sessions, headers: { cookie } })).status, 200);
      await other.auth.close();
      clock.jump(5 * minutes - 1);
      assert.deepEqual(await auth.countSessions(), { browsers: 1, tokens: 1 });
      const automatic = await other.inject({ url: sessions, headers: { cookie, "x-annex-automatic": "1" } });
      assert.equal(automatic.status, 200);
      await other.auth.close();
      clock.jump(1);
      assert.deepEqual(await auth.countSessions(), { browsers: 0, tokens: 1 });
      assert.equal(await isSignedIn(cookie), false);
    });

    test("of an older release are listed, used and ended", async (t) => {
      const store = await openTestDatabase(t, engine);
      const { asked, list, clock, auth } = await createServer(t, { store, idleMs: 5 * minutes });
      const older = { signed_in: null, last_used: null, address: null, agent: null };
      await store.tables<AuthTables>().updateTable("annex_tokens").set(older).execute();
      const [session] = await list();
      const now = new Date(clock.now()).toISOString();
      assert.partialDeepStrictEqual(session, {
        address: null,
        agent: "Unknown client",
        signedIn: now,
        lastUsed: now,
      });
      await auth.close();
      assert.equal((await list())[0]!.address, "127.0.0.1");
      assert.equal((await asked("DELETE", `${sessions}/${session!.id}`)).status, 204);
    });
  });
}

test("sessions are listed by pages, the current one first and then the most recently used", async (t) => {
  const server = await createServer(t);
  for (let count = 0; count < 4; count++) {
    server.clock.advance(1_000);
    await logIn(server);
  }
  const page = async (query: string) =>
    (await server.asked("GET", `${sessions}?${query}`)).json<{
      items: SessionRecord[];
      totalItems: number;
      totalPages: number;
    }>();
  const second = await page("page=2&perPage=2");
  assert.partialDeepStrictEqual(second, { totalItems: 5, totalPages: 3 });
  const [first, ...others] = (await page("")).items;
  assert.equal(first!.current, true);
  const times = others.map(({ lastUsed }) => lastUsed);
  assert.deepEqual(times, times.toSorted().reverse());
  assert.deepEqual(
    second.items.map(({ id }) => id),
    others.slice(1, 3).map(({ id }) => id),
  );
  assert.deepEqual((await page("page=9007199254740991&perPage=100")).items, []);
});

for (const [method, url] of [
  ["GET", sessions],
  ["DELETE", sessions],
  ["DELETE", `${sessions}/x`],
] as const) {
  test(`${method} ${url} is for superusers`, async (t) => {
    const { inject, auth } = await createOwnedServer(t);
    assert.equal((await inject({ method, url })).status, 401);
    auth.resolveWith(() => ({ id: "user" }));
    assert.equal((await inject({ method, url })).status, 403);
  });
}

test("nothing that a request waits for writes when a token was used", async (t) => {
  const { inject, token, database, clock } = await createOwnedServer(t);
  const readUse = () =>
    database.tables<AuthTables>().selectFrom("annex_tokens").select("last_used").executeTakeFirstOrThrow();
  const before = await readUse();
  clock.advance(30_000);
  for (let count = 0; count < 10; count++) await inject({ url: sessions, headers: { authorization: token } });
  assert.deepEqual(await readUse(), before);
  clock.advance(60_000);
  await settle();
  assert.notDeepEqual(await readUse(), before);
});

for (const path of ["auth-logout", "sign-out"] as const) {
  test(`a sign-out by ${path} is reported`, async (t) => {
    const { asked, signIn, inject, events } = await createServer(t);
    if (path === "auth-logout") await asked("POST", `${collection}/auth-logout`);
    else
      await inject({
        method: "POST",
        url: "/_/sign-out",
        headers: { cookie: await signIn(), "sec-fetch-site": "same-origin", "user-agent": firefox },
      });
    const reported = events.filter(({ kind }) => kind === "sign-out");
    assert.equal(reported.length, 1);
    assert.partialDeepStrictEqual(reported[0], { account: ada.identity, actor: ada.identity });
    assert.ok(reported[0]!.origin?.traceId);
  });
}
