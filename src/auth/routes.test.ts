import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { InjectRequest } from "../http/index.ts";
import { requireSuperuserAuth } from "./guards/guards.ts";
import { ada, createOwnedServer, createTestServer, logIn, type TestServer } from "./testing/server.ts";

const collection = "/api/collections/_superusers";
const post = (path: string, body?: unknown, headers = {}): InjectRequest => ({
  method: "POST",
  url: collection + path,
  body,
  headers,
});
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const minutes = 60_000;

/** Whether the token opens a door that is for superusers. */
async function isGood({ inject }: TestServer, token: string): Promise<boolean> {
  return (await inject({ url: `${collection}/records`, headers: bearer(token) })).status === 200;
}

describe("signing in by the API", () => {
  test("gives a token and the record", async (t) => {
    const { inject, clock } = await createOwnedServer(t);
    const response = await inject(post("/auth-with-password", { ...ada, identity: " ADA@example.com" }));
    assert.equal(response.status, 200);
    assert.equal(response.headers["cache-control"], "no-store");
    const { token, record } = response.json<{ token: string; record: { id: string } }>();
    const now = new Date(clock.now()).toISOString();
    assert.deepEqual(record, {
      id: record.id,
      collectionId: "pbc_3142635823",
      collectionName: "_superusers",
      email: "ada@example.com",
      emailVisibility: false,
      verified: true,
      created: now,
      updated: now,
    });
    const [, payload = "", secret = ""] = token.split(".");
    assert.deepEqual(JSON.parse(Buffer.from(payload, "base64url").toString()), {
      id: record.id,
      type: "auth",
      collectionId: "pbc_3142635823",
      exp: (clock.now() + 7 * 86_400_000) / 1000,
    });
    assert.equal(Buffer.from(secret, "base64url").length, 32);
  });

  const refusals: { title: string; body: unknown; data: object }[] = [
    { title: "a wrong password", body: { ...ada, password: "indifference" }, data: {} },
    { title: "an unknown account", body: { ...ada, identity: "eve@example.com" }, data: {} },
    { title: "what is no email at all", body: { ...ada, identity: "\0' or 1=1 --" }, data: {} },
    { title: "a short password", body: { ...ada, password: "x" }, data: {} },
    {
      title: "an empty password",
      body: { ...ada, password: "" },
      data: { password: { code: "required", message: "Enter a password." } },
    },
    {
      title: "a password of 10 KB",
      body: { ...ada, password: "x".repeat(10_240) },
      data: { password: { code: "too_long", message: "The password is longer than 1024 bytes." } },
    },
    {
      title: "fields that are not text",
      body: { identity: ["ada@example.com"], password: { $ne: "" } },
      data: {
        identity: { code: "required", message: "Enter your email address." },
        password: { code: "required", message: "Enter a password." },
      },
    },
    {
      title: "a list in place of fields",
      body: [ada],
      data: {
        identity: { code: "required", message: "Enter your email address." },
        password: { code: "required", message: "Enter a password." },
      },
    },
  ];
  for (const { title, body, data } of refusals) {
    test(`${title} is refused with 400`, async (t) => {
      const { inject } = await createOwnedServer(t);
      const response = await inject(post("/auth-with-password", body));
      assert.equal(response.status, 400);
      assert.deepEqual(response.json<{ data: object }>().data, data);
    });
  }

  for (const body of ["null", '"text"', "{", '{"__proto__":{"identity":"a"}}']) {
    test(`the body ${body} is refused with 400`, async (t) => {
      const { inject } = await createTestServer(t);
      const request = post("/auth-with-password", body, { "content-type": "application/json" });
      assert.equal((await inject(request)).status, 400);
    });
  }

  test("an unknown account and a wrong password cannot be distinguished", async (t) => {
    const server = await createOwnedServer(t);
    const known = await attempt(server, { ...ada, password: "indifference" });
    const unknown = await attempt(server, { ...ada, identity: "eve@example.com" });
    assert.deepEqual(unknown, known);
    assert.equal(known.verified, 1);
  });

  async function attempt({ inject, hasher }: TestServer, credentials: typeof ada) {
    const before = hasher.verified;
    const response = await inject(post("/auth-with-password", credentials));
    const { trace_id, ...body } = response.json<{ trace_id: string }>();
    const { date, "x-trace-id": trace, ...headers } = response.headers;
    return { status: response.status, body, headers, verified: hasher.verified - before };
  }

  test("a password that is never compared costs no comparison and no attempt", async (t) => {
    const server = await createOwnedServer(t);
    const before = server.hasher.verified;
    for (let count = 0; count < 30; count++)
      await attempt(server, { ...ada, password: count % 2 ? "" : "x".repeat(10_240) });
    assert.equal(server.hasher.verified, before);
    assert.equal((await attempt(server, ada)).status, 200);
  });

  test("the sixth failure within a quarter of an hour is 429, for an unknown account as well", async (t) => {
    const server = await createOwnedServer(t);
    for (const identity of [ada.identity, "eve@example.com"]) {
      const statuses: number[] = [];
      for (let count = 0; count < 6; count++)
        statuses.push((await attempt(server, { identity, password: "indifference" })).status);
      assert.deepEqual(statuses, [400, 400, 400, 400, 400, 429]);
    }
    const response = await server.inject(post("/auth-with-password", ada));
    assert.equal(response.status, 429);
    assert.equal(response.headers["retry-after"], "900");
    const elsewhere = { ...post("/auth-with-password", ada), remoteAddress: "198.51.100.1" };
    assert.equal((await server.inject(elsewhere)).status, 200);
    server.clock.advance(15 * minutes);
    assert.equal((await server.inject(post("/auth-with-password", ada))).status, 200);
  });

  test("a hundred guesses at once have five comparisons, and a restart does not give more", async (t) => {
    const server = await createOwnedServer(t);
    const before = server.hasher.verified;
    const guess = post("/auth-with-password", { ...ada, password: "indifference" });
    const responses = await Promise.all(Array.from({ length: 100 }, () => server.inject(guess)));
    assert.equal(responses.filter(({ status }) => status === 400).length, 5);
    assert.equal(responses.filter(({ status }) => status === 429).length, 95);
    assert.equal(server.hasher.verified - before, 5);
    const restarted = await createTestServer(t, { store: server.database, clock: server.clock });
    assert.equal((await restarted.inject(post("/auth-with-password", ada))).status, 429);
  });

  test("the address is the one that a trusted proxy gives, by /64 in IPv6", async (t) => {
    const { inject } = await createOwnedServer(t);
    const guess = (address: string) =>
      inject({
        ...post("/auth-with-password", { ...ada, password: "indifference" }, { "x-forwarded-for": address }),
        remoteAddress: "10.0.0.1",
      });
    for (let host = 1; host <= 5; host++) assert.equal((await guess(`2001:db8::${host}`)).status, 400);
    assert.equal((await guess("2001:db8::6")).status, 429);
    assert.equal((await guess("2001:db8:0:1::6")).status, 400);
  });

  test("too many concurrent comparisons return 503 and are not counted as failures", async (t) => {
    const { promise: opened, resolve: open } = Promise.withResolvers<boolean>();
    const { inject } = await createTestServer(t, { hasher: { hash: async () => "", verify: () => opened } });
    const from = (host: number, email: string): InjectRequest => ({
      ...post("/auth-with-password", { ...ada, identity: email }, { "x-forwarded-for": `203.0.113.${host}` }),
      remoteAddress: "10.0.0.1",
    });
    const responses = Array.from({ length: 70 }, (_, host) => inject(from(host, `a${host}@example.com`)));
    const busy = await Promise.race(responses);
    assert.equal(busy.status, 503);
    assert.equal(busy.headers["retry-after"], "1");
    for (let count = 0; count < 6; count++)
      assert.equal((await inject(from(200, "grace@example.com"))).status, 503);
    open(true);
    const statuses = (await Promise.all(responses)).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 400).length, 66);
    assert.equal((await inject(from(200, "grace@example.com"))).status, 400);
  });
});

describe("a token", () => {
  test("opens routes for superusers, with or without the word Bearer", async (t) => {
    const { inject, token } = await createOwnedServer(t);
    for (const authorization of [token, `Bearer ${token}`, `bearer ${token}`, `BEARER  ${token}`]) {
      const response = await inject({ url: `${collection}/records`, headers: { authorization } });
      assert.equal(response.status, 200, authorization);
    }
  });

  test("does not open anything when it is not quite a token of this server", async (t) => {
    const { inject, token } = await createOwnedServer(t);
    const other = await createOwnedServer(t);
    const [header, payload, secret] = token.split(".");
    const wrong = [
      "",
      "Bearer",
      "Bearer ",
      "Bearer null",
      "Bearer undefined",
      `Basic ${Buffer.from("ada@example.com:difference engine").toString("base64")}`,
      `Basic ${token}`,
      `Bearer ${other.token}`,
      `Bearer ${token}x`,
      `Bearer ${token.slice(0, -1)}`,
      `Bearer ${secret}`,
      `Bearer ${header}.${payload}.`,
      `Bearer ${header}..${secret}`,
      `Bearer eyJhbGciOiJub25lIn0.${payload}.${secret}`,
      `Bearer ${token}, Bearer ${token}`,
      `Bearer ${"x".repeat(8_000)}`,
      "Bearer \u00ff\u00fe",
    ];
    for (const authorization of wrong) {
      const response = await inject({ url: `${collection}/records`, headers: { authorization } });
      assert.equal(response.status, 401, authorization);
      assert.equal(response.headers["www-authenticate"], "Bearer");
    }
  });

  test("uses the first of two headers", async (t) => {
    const { inject, token } = await createOwnedServer(t);
    const ask = (...twice: string[]) =>
      inject({ url: `${collection}/records`, headers: { authorization: twice as unknown as string } });
    assert.equal((await ask(token, "nonsense")).status, 200);
    assert.equal((await ask("nonsense", token)).status, 401);
  });

  test("expires", async (t) => {
    const server = await createOwnedServer(t, { tokenTtlMs: 10 * minutes });
    server.clock.advance(10 * minutes - 1);
    assert.equal(await isGood(server, server.token), true);
    server.clock.advance(1);
    assert.equal(await isGood(server, server.token), false);
  });

  test("is renewed, and the old one stays valid for a minute", async (t) => {
    const server = await createOwnedServer(t);
    const response = await server.inject(post("/auth-refresh", undefined, bearer(server.token)));
    assert.equal(response.status, 200);
    const { token, record } = response.json<{ token: string; record: { email: string } }>();
    assert.equal(record.email, "ada@example.com");
    assert.notEqual(token, server.token);
    server.clock.advance(minutes - 1);
    assert.equal(await isGood(server, server.token), true);
    server.clock.advance(1);
    assert.equal(await isGood(server, server.token), false);
    assert.equal(await isGood(server, token), true);
  });

  test("does not live longer for being renewed twice", async (t) => {
    const server = await createOwnedServer(t);
    await server.inject(post("/auth-refresh", undefined, bearer(server.token)));
    server.clock.advance(minutes / 2);
    await server.inject(post("/auth-refresh", undefined, bearer(server.token)));
    server.clock.advance(minutes / 2);
    assert.equal(await isGood(server, server.token), false);
  });

  test("ends at logout, and no other one does", async (t) => {
    const server = await createOwnedServer(t);
    const other = await logIn(server);
    assert.equal((await server.inject(post("/auth-logout", undefined, bearer(server.token)))).status, 204);
    assert.equal(await isGood(server, server.token), false);
    assert.equal(await isGood(server, other), true);
  });

  test("is valid on every instance immediately, and ends on all of them immediately", async (t) => {
    const server = await createOwnedServer(t);
    const other = await createTestServer(t, { store: server.database, clock: server.clock });
    assert.equal(await isGood(other, server.token), true);
    await other.auth.superusers.changePassword(ada.identity, "analytical engine");
    assert.equal(await isGood(server, server.token), false);
  });
});

describe("the records of superusers", () => {
  const routes: [method: string, path: string][] = [
    ["GET", "/records"],
    ["POST", "/records"],
    ["GET", "/records/x"],
    ["PATCH", "/records/x"],
    ["DELETE", "/records/x"],
    ["POST", "/auth-refresh"],
    ["POST", "/auth-logout"],
  ];
  for (const [method, path] of routes) {
    test(`${method} ${path} returns 401 without a token and 403 for other users`, async (t) => {
      const { inject, auth } = await createOwnedServer(t);
      assert.equal((await inject({ method, url: collection + path })).status, 401);
      auth.resolveWith(() => ({ id: "user", email: "ada@example.com", collectionName: "_superusers" }));
      assert.equal((await inject({ method, url: collection + path })).status, 403);
    });
  }

  interface Page {
    items: { id: string; email: string }[];
  }

  async function createCrowd(t: Parameters<typeof createOwnedServer>[0], count: number) {
    const server = await createOwnedServer(t);
    for (let index = 1; index < count; index++)
      await server.auth.superusers.create(`b${index}@example.com`, ada.password);
    const list = (query: string) =>
      server.inject({ url: `${collection}/records${query}`, headers: bearer(server.token) });
    return { ...server, list };
  }

  test("are listed by pages", async (t) => {
    const { list } = await createCrowd(t, 5);
    const { items, ...page } = (await list("?page=2&perPage=2")).json<Page>();
    assert.deepEqual(page, { page: 2, perPage: 2, totalItems: 5, totalPages: 3 });
    assert.deepEqual(
      items.map(({ email }) => email),
      ["b2@example.com", "b3@example.com"],
    );
    assert.deepEqual((await list("?page=9&perPage=500")).json(), {
      page: 9,
      perPage: 100,
      totalItems: 5,
      totalPages: 1,
      items: [],
    });
    assert.partialDeepStrictEqual((await list("")).json(), { page: 1, perPage: 30 });
  });

  for (const query of [
    "page=0",
    "page=x",
    "page=",
    "perPage=-1",
    "perPage=1.5",
    "page=1e3",
    "page=99999999999999999999",
  ]) {
    test(`?${query} is refused with 400`, async (t) => {
      const { list } = await createCrowd(t, 1);
      const response = await list(`?${query}`);
      assert.equal(response.status, 400);
      assert.deepEqual(Object.keys(response.json<{ data: object }>().data), [query.split("=")[0]]);
    });
  }

  test("are not listed by a filter that would be ignored", async (t) => {
    const { list } = await createCrowd(t, 1);
    assert.equal((await list("?filter=email%3D'x'")).status, 400);
    assert.equal((await list("?sort=-email")).status, 400);
  });

  test("are created, read, and removed", async (t) => {
    const { inject, token } = await createOwnedServer(t);
    const headers = bearer(token);
    const body = { email: "Grace@example.com", password: "compiler bug", passwordConfirm: "compiler bug" };
    const created = await inject(post("/records", body, headers));
    assert.equal(created.status, 200);
    const { id, email } = created.json<{ id: string; email: string }>();
    assert.equal(email, "grace@example.com");
    const url = `${collection}/records/${id}`;
    assert.deepEqual((await inject({ url, headers })).json(), created.json());
    assert.equal((await inject({ method: "DELETE", url, headers })).status, 204);
    assert.equal((await inject({ url, headers })).status, 404);
    assert.equal((await inject({ method: "DELETE", url, headers })).status, 404);
  });

  const bad: [body: object, data: object][] = [
    [{}, { email: { code: "required" }, password: { code: "required" } }],
    [{ email: "grace", password: "compiler bug" }, { email: { code: "invalid_email" } }],
    [{ email: "a@b.c", password: "short" }, { password: { code: "too_short" } }],
    [{ email: "a@b.c", password: "x".repeat(10_240) }, { password: { code: "too_long" } }],
    [
      { email: "a@b.c", password: "compiler bug", passwordConfirm: "x" },
      { passwordConfirm: { code: "mismatch" } },
    ],
    [{ email: "ADA@example.com", password: "compiler bug" }, { email: { code: "not_unique" } }],
  ];
  for (const [body, data] of bad) {
    test(`are not created from ${JSON.stringify(body).slice(0, 60)}`, async (t) => {
      const { inject, token } = await createOwnedServer(t);
      const response = await inject(post("/records", body, bearer(token)));
      assert.equal(response.status, 400);
      assert.partialDeepStrictEqual(response.json<{ data: object }>().data, data);
    });
  }

  test("the last one is not removed", async (t) => {
    const { inject, token } = await createOwnedServer(t);
    const headers = bearer(token);
    const { items } = (await inject({ url: `${collection}/records`, headers })).json<Page>();
    const response = await inject({
      method: "DELETE",
      url: `${collection}/records/${items[0]!.id}`,
      headers,
    });
    assert.equal(response.status, 400);
    assert.match(response.body, /last superuser/);
  });

  test("a removed superuser's token is over", async (t) => {
    const server = await createCrowd(t, 2);
    const { items } = (await server.list("")).json<Page>();
    const own = items.find(({ email }) => email === ada.identity)!;
    const url = `${collection}/records/${own.id}`;
    assert.equal((await server.inject({ method: "DELETE", url, headers: bearer(server.token) })).status, 204);
    assert.equal(await isGood(server, server.token), false);
  });

  test("a new password ends the other tokens and not this one", async (t) => {
    const server = await createOwnedServer(t);
    const other = await logIn(server);
    const headers = bearer(server.token);
    const { items } = (await server.inject({ url: `${collection}/records`, headers })).json<Page>();
    const change = (body: object) =>
      server.inject({ method: "PATCH", url: `${collection}/records/${items[0]!.id}`, headers, body });
    const password = "analytical engine";
    for (const [body, field] of [
      [{}, "password"],
      [{ password: "short" }, "password"],
      [{ password, passwordConfirm: "x" }, "passwordConfirm"],
      [{ password, oldPassword: "indifference" }, "oldPassword"],
    ] as const) {
      const response = await change(body);
      assert.equal(response.status, 400);
      assert.deepEqual(Object.keys(response.json<{ data: object }>().data), [field]);
    }
    assert.equal(await isGood(server, other), true);
    const response = await change({ password, passwordConfirm: password, oldPassword: ada.password });
    assert.equal(response.status, 200);
    assert.equal(await isGood(server, other), false);
    assert.equal(await isGood(server, server.token), true);
    assert.ok(await logIn(server, { ...ada, password }));
  });
});

test("the guards have names for the documentation", () => {
  assert.equal(requireSuperuserAuth().id, "requireSuperuserAuth");
});
