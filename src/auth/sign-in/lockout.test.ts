import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import type { InjectRequest, InjectResponse } from "../../http/index.ts";
import { engines } from "../../storage/testing/test-database.ts";
import type { AuthTables } from "../tables.ts";
import { createBrowser, type TestBrowser } from "../testing/browser.ts";
import {
  ada,
  createOwnedServer,
  createTestServer,
  openTestDatabase,
  type TestServer,
} from "../testing/server.ts";

const proxy = "10.0.0.1";
const collection = "/api/collections/_superusers";
const wrong = { ...ada, password: "indifference" };
const days = 86_400_000;

/** A sign-in over the API, from an address behind the trusted proxy. */
function signInFrom(address: string, credentials = ada, headers = {}): InjectRequest {
  return {
    method: "POST",
    url: `${collection}/auth-with-password`,
    remoteAddress: proxy,
    headers: { "x-forwarded-for": address, ...headers },
    body: credentials,
  };
}

/** The headers of a request from our own page, with its cookies. */
function ownPage(cookie: string) {
  return { cookie, "sec-fetch-site": "same-origin" };
}

async function statusOf({ inject }: TestServer, request: InjectRequest): Promise<number> {
  return (await inject(request)).status;
}

/** Fifty failures for one account, five from each of ten addresses. */
async function attackFromEverywhere({ inject }: TestServer, identity = ada.identity): Promise<void> {
  const guesses = Array.from({ length: 50 }, (_, index) =>
    inject(signInFrom(`198.51.100.${index % 10}`, { ...wrong, identity })),
  );
  for (const { status } of await Promise.all(guesses)) assert.equal(status, 400);
}

/** Twenty failures for other accounts, from one address. */
async function exhaustAddress({ inject }: TestServer, address: string): Promise<void> {
  const guesses = Array.from({ length: 20 }, (_, index) =>
    inject(signInFrom(address, { ...wrong, identity: `user${index}@example.com` })),
  );
  for (const { status } of await Promise.all(guesses)) assert.equal(status, 400);
}

/** A browser in which Ada has signed in and out, so that it has its device cookie and no session. */
async function createKnownBrowser(server: TestServer, address: string): Promise<TestBrowser> {
  const browser = createBrowser(server, { address });
  assert.equal((await browser.send("/_/sign-in", ada)).status, 303);
  await browser.send("/_/sign-out", {});
  return browser;
}

for (const engine of engines) {
  describe(`an attack from many addresses, on ${engine}`, () => {
    async function createAttacked(t: TestContext) {
      const server = await createOwnedServer(t, { store: await openTestDatabase(t, engine) });
      const browser = await createKnownBrowser(server, "203.0.113.1");
      await server.inject(signInFrom("203.0.113.2"));
      await attackFromEverywhere(server);
      return { ...server, browser };
    }

    test("does not lock out a browser that has signed in before, wherever it is now", async (t) => {
      const { browser } = await createAttacked(t);
      browser.address = "192.0.2.77";
      assert.equal((await browser.send("/_/sign-in", wrong)).status, 400);
      assert.equal((await browser.send("/_/sign-in", ada)).status, 303);
    });

    test("does not lock out a program at an address with a recent sign-in", async (t) => {
      const server = await createAttacked(t);
      assert.equal(await statusOf(server, signInFrom("203.0.113.2")), 200);
    });

    test("still locks out every other client", async (t) => {
      const server = await createAttacked(t);
      assert.equal(await statusOf(server, signInFrom("192.0.2.99")), 429);
      assert.equal(await statusOf(server, signInFrom("192.0.2.98", wrong)), 429);
    });
  });
}

describe("a device cookie", () => {
  test("lets the administrator in behind a proxy that is not trusted, where all clients share an address", async (t) => {
    const server = await createOwnedServer(t);
    const browser = await createKnownBrowser(server, "203.0.113.7");
    await exhaustAddress(server, "203.0.113.7");
    assert.equal(await statusOf(server, signInFrom("203.0.113.7")), 429);
    assert.equal((await browser.send("/_/sign-in", ada)).status, 303);
  });

  test("is HttpOnly and SameSite=Strict, lasts a year, and stays after signing out", async (t) => {
    const server = await createOwnedServer(t);
    const browser = createBrowser(server);
    const response = await browser.send("/_/sign-in", ada);
    assert.match(
      response.headers["set-cookie"]![1]!,
      /^annex_device_80=[\w-]{43}; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Strict$/,
    );
    await browser.send("/_/sign-out", {});
    assert.deepEqual([...browser.cookies.keys()], ["annex_device_80"]);
  });

  test("is for TLS and this host only, over TLS", async (t) => {
    const { inject } = await createOwnedServer(t);
    const response = await inject({
      method: "POST",
      url: "/_/sign-in",
      headers: { "sec-fetch-site": "same-origin", "x-forwarded-proto": "https" },
      remoteAddress: proxy,
      body: new URLSearchParams(ada),
    });
    assert.match(response.headers["set-cookie"]![1]!, /^__Host-annex_device=.*; Secure$/);
  });

  test("is not set for a failed sign-in, nor for a program", async (t) => {
    const server = await createOwnedServer(t);
    const responses = [
      await createBrowser(server).send("/_/sign-in", wrong),
      await server.inject(signInFrom("203.0.113.7")),
    ];
    for (const { headers } of responses) assert.equal(headers["set-cookie"], undefined);
  });

  test("allows five failures of its own, exactly, and then no more", async (t) => {
    const server = await createOwnedServer(t);
    const browser = await createKnownBrowser(server, "203.0.113.7");
    const before = server.hasher.verified;
    const responses = await Promise.all(Array.from({ length: 50 }, () => browser.send("/_/sign-in", wrong)));
    assert.equal(responses.filter(({ status }) => status === 400).length, 5);
    assert.equal(responses.filter(({ status }) => status === 429).length, 45);
    assert.equal(server.hasher.verified - before, 5);
    assert.equal((await browser.send("/_/sign-in", ada)).status, 429);
    server.clock.advance(15 * 60_000);
    assert.equal((await browser.send("/_/sign-in", ada)).status, 303);
  });

  test("is good for the accounts that signed in with it, and for no other", async (t) => {
    const server = await createOwnedServer(t);
    const grace = { identity: "grace@example.com", password: "compiler bug" };
    await server.auth.superusers.create(grace.identity, grace.password);
    const browser = await createKnownBrowser(server, "203.0.113.7");
    browser.address = "192.0.2.1";
    await attackFromEverywhere(server, grace.identity);
    assert.equal((await browser.send("/_/sign-in", grace)).status, 429);
    server.clock.advance(15 * 60_000);
    assert.equal((await browser.send("/_/sign-in", grace)).status, 303);
    await attackFromEverywhere(server);
    await exhaustAddress(server, "192.0.2.1");
    assert.equal((await browser.send("/_/sign-in", ada)).status, 303);
    assert.equal((await browser.send("/_/sign-in", grace)).status, 303);
  });

  test("is replaced when it was invented elsewhere, and renewed when it is ours", async (t) => {
    const server = await createOwnedServer(t);
    const browser = createBrowser(server);
    const planted = "A".repeat(43);
    browser.cookies.set("annex_device_80", planted);
    await browser.send("/_/sign-in", ada);
    const issued = browser.cookies.get("annex_device_80");
    assert.notEqual(issued, planted);
    server.clock.advance(300 * days);
    await browser.send("/_/sign-in", ada);
    assert.equal(browser.cookies.get("annex_device_80"), issued);
    server.clock.advance(300 * days);
    browser.address = "192.0.2.1";
    await attackFromEverywhere(server);
    assert.equal((await browser.send("/_/sign-in", ada)).status, 303);
  });

  const ends: [title: string, end: (server: TestServer) => Promise<unknown>][] = [
    ["when it has not been used for a year", async ({ clock }) => clock.advance(365 * days)],
    [
      "when the password changes",
      ({ auth }) => auth.superusers.changePassword(ada.identity, "analytical engine"),
    ],
    [
      "when the account is removed, also for a new one with the same email",
      async ({ auth }) => {
        await auth.superusers.create("grace@example.com", "compiler bug");
        await auth.superusers.remove(ada.identity);
        await auth.superusers.create(ada.identity, ada.password);
      },
    ],
  ];
  for (const [title, end] of ends) {
    test(`ends ${title}`, async (t) => {
      const server = await createOwnedServer(t);
      const browser = await createKnownBrowser(server, "203.0.113.7");
      await end(server);
      browser.address = "192.0.2.1";
      await attackFromEverywhere(server);
      assert.equal((await browser.send("/_/sign-in", ada)).status, 429);
    });
  }

  test("is renewed in the browser that changes the password", async (t) => {
    const server = await createOwnedServer(t);
    const browser = createBrowser(server);
    await browser.send("/_/sign-in", ada);
    const password = "analytical engine";
    const change = { oldPassword: ada.password, password, passwordConfirm: password };
    assert.equal((await browser.send("/_/password", change)).status, 303);
    await browser.send("/_/sign-out", {});
    browser.address = "192.0.2.1";
    await attackFromEverywhere(server);
    assert.equal((await browser.send("/_/sign-in", { ...ada, password })).status, 303);
  });

  const renewals: [title: string, renew: (server: TestServer, cookie: string) => Promise<InjectResponse>][] =
    [
      [
        "changes the password over the API",
        async ({ auth, inject }, cookie) => {
          const [{ id } = { id: "" }] = await auth.superusers.list();
          const body = { oldPassword: ada.password, password: ada.password };
          return inject({
            method: "PATCH",
            url: `${collection}/records/${id}`,
            headers: ownPage(cookie),
            body,
          });
        },
      ],
      [
        "ends all other sessions over the API",
        ({ inject }, cookie) =>
          inject({ method: "DELETE", url: `${collection}/sessions`, headers: ownPage(cookie) }),
      ],
      [
        "ends all other sessions in the form",
        ({ inject }, cookie) =>
          inject({ method: "POST", url: "/_/sessions/end-others", headers: ownPage(cookie), body: "" }),
      ],
    ];
  for (const [title, renew] of renewals) {
    test(`is renewed in the browser that ${title}, and ends in the others`, async (t) => {
      const server = await createOwnedServer(t);
      const other = await createKnownBrowser(server, "203.0.113.7");
      const browser = createBrowser(server, { address: "203.0.113.7" });
      await browser.send("/_/sign-in", ada);
      const { status } = await renew(server, browser.cookie());
      assert.ok(status < 400, String(status));
      await browser.send("/_/sign-out", {});
      browser.address = "192.0.2.1";
      other.address = "192.0.2.2";
      await attackFromEverywhere(server);
      assert.equal((await other.send("/_/sign-in", ada)).status, 429);
      assert.equal((await browser.send("/_/sign-in", ada)).status, 303);
    });
  }

  test("also lets a signed-in superuser confirm the current password under attack", async (t) => {
    const server = await createOwnedServer(t);
    const browser = createBrowser(server, { address: "203.0.113.7" });
    await browser.send("/_/sign-in", ada);
    await attackFromEverywhere(server);
    await exhaustAddress(server, "203.0.113.7");
    const password = "analytical engine";
    const change = { oldPassword: ada.password, password, passwordConfirm: password };
    assert.equal((await browser.send("/_/password", change)).status, 303);
  });

  test("20 per account are stored, as digests", async (t) => {
    const server = await createOwnedServer(t);
    const oldest = await createKnownBrowser(server, "203.0.113.7");
    const secrets: string[] = [];
    for (let index = 0; index < 20; index++) {
      server.clock.advance(1000);
      const browser = await createKnownBrowser(server, `203.0.113.${index}`);
      secrets.push(browser.cookies.get("annex_device_80")!);
    }
    const rows = await server.database
      .tables<AuthTables>()
      .selectFrom("annex_known_clients")
      .selectAll()
      .execute();
    assert.equal(rows.filter(({ kind }) => kind === "device").length, 20);
    assert.equal(rows.filter(({ kind }) => kind === "network").length, 20);
    const stored = JSON.stringify(rows);
    for (const secret of secrets) assert.ok(!stored.includes(secret));
    assert.doesNotMatch(stored, /203\.0|ada@/);
    oldest.address = "192.0.2.1";
    await attackFromEverywhere(server);
    assert.equal((await oldest.send("/_/sign-in", ada)).status, 429);
  });

  test("works on every instance", async (t) => {
    const server = await createOwnedServer(t);
    const browser = await createKnownBrowser(server, "203.0.113.7");
    await attackFromEverywhere(server);
    const { database: store, clock, hasher } = server;
    const other = createBrowser(await createTestServer(t, { store, clock, hasher }));
    for (const [name, value] of browser.cookies) other.cookies.set(name, value);
    assert.equal((await other.send("/_/sign-in", ada)).status, 303);
  });
});

describe("an address with a recent sign-in", () => {
  test("still allows five failures for one account and twenty in all", async (t) => {
    const server = await createOwnedServer(t);
    await server.inject(signInFrom("203.0.113.2"));
    const statuses: number[] = [];
    for (let index = 0; index < 6; index++)
      statuses.push(await statusOf(server, signInFrom("203.0.113.2", wrong)));
    assert.deepEqual(statuses, [400, 400, 400, 400, 400, 429]);
    await server.inject(signInFrom("203.0.113.3"));
    await exhaustAddress(server, "203.0.113.3");
    assert.equal(await statusOf(server, signInFrom("203.0.113.3")), 429);
  });

  test("stays known while a program renews its token there, also where it moved to", async (t) => {
    const server = await createOwnedServer(t);
    const refresh = async (address: string, token: string) => {
      const { headers } = signInFrom(address);
      const url = `${collection}/auth-refresh`;
      const authorized = { ...headers, authorization: token };
      const response = await server.inject({
        method: "POST",
        url,
        remoteAddress: proxy,
        headers: authorized,
      });
      assert.equal(response.status, 200);
      return response.json<{ token: string }>().token;
    };
    let { token } = (await server.inject(signInFrom("203.0.113.2"))).json<{ token: string }>();
    for (let elapsed = 0; elapsed < 30; elapsed += 5) {
      server.clock.advance(5 * days);
      token = await refresh("203.0.113.2", token);
    }
    await refresh("203.0.113.4", token);
    await attackFromEverywhere(server);
    assert.equal(await statusOf(server, signInFrom("203.0.113.2")), 200);
    assert.equal(await statusOf(server, signInFrom("203.0.113.4")), 200);
  });

  test("is forgotten after 30 days", async (t) => {
    const server = await createOwnedServer(t);
    await server.inject(signInFrom("203.0.113.2"));
    server.clock.advance(30 * days);
    await attackFromEverywhere(server);
    assert.equal(await statusOf(server, signInFrom("203.0.113.2")), 429);
  });

  test("is known by /64 in IPv6", async (t) => {
    const server = await createOwnedServer(t);
    await server.inject(signInFrom("2001:db8::1"));
    await attackFromEverywhere(server);
    assert.equal(await statusOf(server, signInFrom("2001:db8::2")), 200);
    assert.equal(await statusOf(server, signInFrom("2001:db8:0:1::2")), 429);
  });

  test("does not show which accounts exist to others at that address", async (t) => {
    const server = await createOwnedServer(t);
    await server.inject(signInFrom("203.0.113.2"));
    const responses: object[] = [];
    for (const identity of [ada.identity, "eve@example.com"]) {
      await attackFromEverywhere(server, identity);
      const { status, headers, body } = await server.inject(
        signInFrom("203.0.113.2", { ...wrong, identity }),
      );
      const { date, "x-trace-id": trace, ...rest } = headers;
      responses.push({ status, rest, body: body.replace(/"trace_id":"[^"]*"/, "") });
      server.clock.advance(15 * 60_000);
    }
    assert.deepEqual(responses[1], responses[0]);
    assert.partialDeepStrictEqual(responses[0], { status: 400 });
  });
});

test("an unknown account costs the same queries and comparisons, with and without a device cookie", async (t) => {
  const { database: store, clock, hasher } = await createOwnedServer(t);
  let queries = 0;
  const database = async () => {
    queries++;
    return store;
  };
  const server = await createTestServer(t, { store, clock, hasher, database });
  const known = await createKnownBrowser(server, "203.0.113.7");
  const ownCookie = known.cookie();
  const cookies = ["", `annex_device_80=${"A".repeat(43)}`, "annex_device_80=short"];
  const costs = async (identity: string, cookie: string) => {
    const [queriesBefore, verifiedBefore] = [queries, hasher.verified];
    const { status } = await server.inject(signInFrom("192.0.2.1", { ...wrong, identity }, { cookie }));
    assert.equal(status, 400);
    return [queries - queriesBefore, hasher.verified - verifiedBefore];
  };
  const expected = await costs("eve@example.com", "");
  for (const cookie of cookies) {
    assert.deepEqual(await costs(ada.identity, cookie), expected, cookie);
    assert.deepEqual(await costs("mallory@example.com", cookie), expected, cookie);
  }
  assert.deepEqual(await costs("mallory@example.com", ownCookie), expected);
});

test("a client that was refused a moment ago costs no query, and a known browser behind its address still gets in", async (t) => {
  const { database: store, clock, hasher } = await createOwnedServer(t);
  let queries = 0;
  const database = async () => {
    queries++;
    return store;
  };
  const server = await createTestServer(t, { store, clock, hasher, database });
  const browser = await createKnownBrowser(server, "203.0.113.7");
  await exhaustAddress(server, "203.0.113.7");
  assert.equal(await statusOf(server, signInFrom("203.0.113.7", wrong)), 429);
  const before = queries;
  for (let index = 0; index < 10; index++)
    assert.equal(
      await statusOf(server, signInFrom("203.0.113.7", { ...wrong, identity: `${index}@x.com` })),
      429,
    );
  assert.equal(queries, before);
  assert.equal((await browser.send("/_/sign-in", ada)).status, 303);
});
