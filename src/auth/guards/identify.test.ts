import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, type TestContext, test } from "node:test";
import { WebSocket } from "ws";
import type { Identity, InjectRequest, Listener, RequestEvent } from "../../http/index.ts";
import { settles } from "../../lib/testing/until.ts";
import { isSuperuser, requireAuth, requireSuperuserAuth } from "../index.ts";
import { ada, createOwnedServer } from "../testing/server.ts";

let lastSeen: Identity | null = null;

/** Routes of an application: who am I, a door for anybody known, a door for superusers. */
function routes({ routes }: Listener): void {
  const router = routes.router("the application");
  const whoAmI = (e: RequestEvent) => {
    lastSeen = e.auth;
    return e.json(200, { auth: e.auth, isSuperuser: isSuperuser(e.auth) });
  };
  router.get("/who", whoAmI);
  router.post("/who", whoAmI);
  router.post("/known", whoAmI).bind(requireAuth());
  router.post("/super", whoAmI).bind(requireSuperuserAuth());
  router.upgrade("/socket", ({ auth }, socket) => socket.send(isSuperuser(auth) ? auth.email : "none"), {
    origins: "*",
  });
}

/** The server, and the cookie of a browser in which Ada has signed in. */
async function createBrowsedServer(t: TestContext) {
  const server = await createOwnedServer(t, { routes });
  const signedIn = await server.inject({
    method: "POST",
    url: "/_/sign-in",
    headers: { "sec-fetch-site": "same-origin" },
    body: new URLSearchParams(ada),
  });
  const cookie = signedIn.headers["set-cookie"]![0]!.split(";")[0]!;
  const who = async (request: Partial<InjectRequest>) =>
    (await server.inject({ url: "/who", ...request })).json<{ auth: object | null; isSuperuser: boolean }>();
  return { ...server, cookie, who };
}

const robot = { id: "robot", email: "ada@example.com" };

describe("who sent a request", () => {
  test("no identity, synchronously, without credentials", async (t) => {
    const { auth } = await createOwnedServer(t);
    assert.equal(auth.identify({ response: { observed: { hasCredentials: false } } } as RequestEvent), null);
  });

  test("no identity, synchronously and without a query, with credentials that are not of Annex", async (t) => {
    const { auth, listener } = await createOwnedServer(t, {
      routes: ({ routes }) => {
        routes.router("the application").get("/at-once", (e) => e.json(200, auth.identify(e)));
      },
    });
    for (const headers of [
      { cookie: "theme=dark; annex_session_80=short" },
      { authorization: "Bearer app.jwt.x" },
    ]) {
      const response = await listener.inject({ url: "/at-once", headers });
      assert.equal(response.body, "null");
    }
  });

  test("a superuser by token or by session, known by id and email", async (t) => {
    const { who, token, cookie } = await createBrowsedServer(t);
    for (const headers of [{ authorization: token }, { cookie }]) {
      const { auth, isSuperuser } = await who({ headers });
      assert.partialDeepStrictEqual(auth, { email: "ada@example.com" });
      assert.equal(isSuperuser, true);
    }
  });

  test("whom the application says, and never a superuser by that", async (t) => {
    const { who, auth, inject, token } = await createBrowsedServer(t);
    auth.resolveWith((e) => (e.header("x-api-key") === "key" ? robot : null));
    assert.deepEqual(await who({}), { auth: null, isSuperuser: false });
    const headers = { "x-api-key": "key" };
    assert.deepEqual(await who({ headers }), { auth: robot, isSuperuser: false });
    assert.equal((await inject({ method: "POST", url: "/known", headers })).status, 200);
    assert.equal((await inject({ method: "POST", url: "/super", headers })).status, 403);
    assert.equal(
      (await inject({ method: "POST", url: "/super", headers: { authorization: token } })).status,
      200,
    );
  });

  test("a superuser's identity that the application kept does not come back", async (t) => {
    const { who, auth, inject, token } = await createBrowsedServer(t);
    const headers = { authorization: token };
    await who({ headers });
    const kept = lastSeen;
    assert.ok(isSuperuser(kept));
    await inject({ method: "POST", url: "/api/collections/_superusers/auth-logout", headers });
    // biome-ignore lint/suspicious/noThenProperty: such as a query builder returns.
    const later: PromiseLike<typeof kept> = { then: (...args) => Promise.resolve(kept).then(...args) };
    for (const resolve of [() => kept, async () => kept, () => later]) {
      auth.resolveWith(resolve);
      assert.equal((await who({ headers })).auth, null);
      assert.equal((await who({})).auth, null);
    }
  });

  test("the application may take its time, and may fail", async (t) => {
    const { who, auth, inject } = await createBrowsedServer(t);
    auth.resolveWith(async () => robot);
    assert.deepEqual((await who({})).auth, robot);
    auth.resolveWith(() => Promise.reject(new Error("no")));
    assert.equal((await inject({ url: "/who" })).status, 500);
    auth.resolveWith(() => undefined);
    assert.deepEqual((await who({})).auth, null);
  });

  test("the application is asked about a token that is not one of ours, or not any more", async (t) => {
    const { who, auth, token, inject } = await createBrowsedServer(t);
    auth.resolveWith((e) => (e.header("authorization") ? robot : null));
    assert.equal((await who({ headers: { authorization: token } })).isSuperuser, true);
    assert.deepEqual((await who({ headers: { authorization: "Bearer app.jwt.x" } })).auth, robot);
    const logout = "/api/collections/_superusers/auth-logout";
    await inject({ method: "POST", url: logout, headers: { authorization: token } });
    assert.deepEqual((await who({ headers: { authorization: token } })).auth, robot);
  });

  test("a header names its sender before a cookie does", async (t) => {
    const { who, auth, cookie } = await createBrowsedServer(t);
    auth.resolveWith((e) => (e.header("authorization") === "Bearer app" ? robot : null));
    assert.deepEqual((await who({ headers: { cookie, authorization: "Bearer app" } })).auth, robot);
    assert.equal((await who({ headers: { cookie, authorization: "Basic proxy" } })).isSuperuser, true);
    assert.equal((await who({ headers: { cookie } })).isSuperuser, true);
  });

  test("a session cannot be used as a token, and a token not as a session", async (t) => {
    const { who, token, cookie } = await createBrowsedServer(t);
    const secret = cookie.split("=")[1]!;
    assert.equal((await who({ headers: { authorization: `Bearer ${secret}` } })).auth, null);
    assert.equal((await who({ headers: { cookie: `annex_session_80=${token}` } })).auth, null);
  });

  test("a session cannot be turned into a token", async (t) => {
    const { inject, cookie } = await createBrowsedServer(t);
    const headers = { cookie, "sec-fetch-site": "same-origin" };
    const url = "/api/collections/_superusers/auth-refresh";
    assert.equal((await inject({ method: "POST", url, headers })).status, 401);
  });
});

describe("a session counts for what changes things only from our own origin", () => {
  const origins: { headers: Record<string, string>; counts: boolean }[] = [
    { headers: { "sec-fetch-site": "same-origin" }, counts: true },
    { headers: { "sec-fetch-site": "same-origin", origin: "null" }, counts: true },
    { headers: { origin: "http://127.0.0.1" }, counts: true },
    { headers: { "sec-fetch-site": "same-site" }, counts: false },
    { headers: { "sec-fetch-site": "cross-site" }, counts: false },
    { headers: { "sec-fetch-site": "none" }, counts: false },
    { headers: { "sec-fetch-site": "cross-site", origin: "http://127.0.0.1" }, counts: false },
    { headers: { origin: "https://127.0.0.1" }, counts: false },
    { headers: { origin: "http://127.0.0.1:8091" }, counts: false },
    { headers: { origin: "http://evil.example" }, counts: false },
    { headers: { origin: "null" }, counts: false },
    { headers: {}, counts: false },
  ];
  for (const { headers, counts } of origins) {
    test(`${JSON.stringify(headers)}: ${counts ? "yes" : "no"}`, async (t) => {
      const { inject, who, cookie } = await createBrowsedServer(t);
      const sent = { cookie, ...headers };
      assert.equal((await who({ method: "POST", headers: sent })).isSuperuser, counts);
      for (const url of ["/known", "/super"]) {
        const response = await inject({ method: "POST", url, headers: sent });
        assert.equal(response.status, counts ? 200 : 403);
        if (!counts) assert.match(response.body, /Cross-site requests/);
      }
    });
  }

  test("reading is free, and so is a token", async (t) => {
    const { inject, who, cookie, token } = await createBrowsedServer(t);
    const elsewhere = { "sec-fetch-site": "cross-site" };
    assert.equal((await who({ headers: { cookie, ...elsewhere } })).isSuperuser, true);
    const headers = { authorization: token, cookie, ...elsewhere };
    assert.equal((await inject({ method: "POST", url: "/super", headers })).status, 200);
  });

  test("a WebSocket can change things, so a session counts only from our own origin", async (t) => {
    const { listener, cookie } = await createBrowsedServer(t);
    const { port } = await listener.listen("127.0.0.1", 0);
    t.after(() => listener.close(0));
    const whoIs = async (headers: Record<string, string>) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/socket`, {
        headers: { host: "127.0.0.1", cookie, ...headers },
      });
      t.after(() => socket.terminate());
      const [data] = await settles("a message arrives", once(socket, "message"));
      return String(data);
    };
    assert.equal(await whoIs({ origin: "http://127.0.0.1" }), ada.identity);
    assert.equal(await whoIs({ "sec-fetch-site": "same-origin" }), ada.identity);
    // The route allows all origins, but they cannot use the session.
    assert.equal(await whoIs({ origin: "http://other.127.0.0.1.example" }), "none");
    assert.equal(await whoIs({ origin: "http://127.0.0.1", "sec-fetch-site": "same-site" }), "none");
    assert.equal(await whoIs({}), "none");
  });

  test("behind a proxy the origin is the one that the proxy forwards", async (t) => {
    const { inject, cookie } = await createBrowsedServer(t);
    const secret = cookie.split("=")[1]!;
    const headers = {
      cookie: `__Host-annex_session=${secret}`,
      origin: "https://annex.example",
      "x-forwarded-proto": "https",
      "x-forwarded-host": "annex.example",
    };
    const request = { method: "POST", url: "/super", headers };
    assert.equal((await inject({ ...request, remoteAddress: "10.0.0.1" })).status, 200);
    assert.equal((await inject({ ...request, remoteAddress: "203.0.113.7" })).status, 401);
  });
});

test("when the store fails, requests with our credentials are 503 and all others go on", async (t) => {
  const { who, inject, token, cookie, database } = await createBrowsedServer(t);
  await database.close();
  for (const headers of [{ authorization: token }, { cookie }]) {
    const response = await inject({ url: "/who", headers });
    assert.equal(response.status, 503);
    assert.equal(response.headers["retry-after"], "5");
  }
  assert.equal((await who({})).auth, null);
  assert.equal(
    (await who({ headers: { cookie: "theme=dark", authorization: "Bearer app.jwt.x" } })).auth,
    null,
  );
});
