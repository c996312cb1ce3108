import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { createOwnedServer } from "../../auth/testing/server.ts";
import { createEvents } from "../../feature/index.ts";
import type { InjectRequest } from "../../http/index.ts";
import { openTestDatabase } from "../../storage/testing/test-database.ts";
import { accessMigrations } from "./tables.ts";
import { createTestAccess, failure, hour, minute, start } from "./testing/test-access.ts";

interface Row {
  readonly kind: string;
  readonly account: string | null;
  readonly address: string | null;
  readonly detail: string | null;
  readonly count: number;
  readonly trace_id: string | null;
}

/** A server with a superuser and the access log, which also observes what the server refuses. */
async function createServer(t: TestContext) {
  const database = await openTestDatabase(t, "sqlite", accessMigrations);
  const parts = createTestAccess(async () => database);
  const { inject, token, auth } = await createOwnedServer(t, {
    routes: (listener) => {
      parts.access.observe(createEvents(listener.observer));
      parts.access.mount(listener.routes.router("Annex"));
      const own = listener.routes.router("the application");
      own.get("/private", (e) => {
        throw e.error(403, "Not for you");
      });
    },
  });
  auth.resolveWith((e) => (e.header("x-api-key") === "robot" ? { id: "robot-7" } : null));
  const get = (url: string, headers: InjectRequest["headers"] = {}) =>
    inject({ url, headers: { authorization: `Bearer ${token}`, ...headers } });
  const rows = async (query = "") =>
    (await get(`/_/_/data/access?${query}`)).json<{ events: Row[]; cursor?: string }>();
  return { ...parts, inject, get, rows, token };
}

const paths = [
  "/_/_/data/access",
  "/_/_/data/access/summary",
  "/_/_/data/access.csv",
  "/_/_/data/access.ndjson",
];

describe("the routes of the access log", () => {
  for (const path of paths) {
    it(`${path} is for superusers and never cached`, async (t) => {
      const { inject, get } = await createServer(t);
      const refused = await inject({ url: path });
      assert.equal(refused.status, 401);
      assert.equal(refused.headers["cache-control"], "no-store");
      assert.equal((await inject({ url: path, headers: { "x-api-key": "robot" } })).status, 403);
      const found = await get(path);
      assert.equal(found.status, 200);
      assert.equal(found.headers["cache-control"], "no-store");
    });

    for (const query of [
      "from=yesterday",
      "from=2&to=1",
      "kind=burglary",
      "limit=0",
      "limit=x",
      `text=${"x".repeat(301)}`,
      `account=${"x".repeat(301)}`,
    ]) {
      if (path.endsWith("summary") && query.startsWith("limit")) continue;
      it(`${path} refuses ${query.slice(0, 20)}`, async (t) => {
        const { get } = await createServer(t);
        const refused = await get(`${path}?${query}`);
        assert.equal(refused.status, 400);
        const name = query.startsWith("from=2") ? "to" : query.split("=")[0]!;
        assert.deepEqual(Object.keys(refused.json<{ data: object }>().data), [name]);
      });
    }
  }

  it("refuse a cursor of their own making, and points beyond the limit", async (t) => {
    const { get } = await createServer(t);
    assert.equal((await get("/_/_/data/access?cursor=1-%27")).status, 400);
    assert.equal((await get("/_/_/data/access/summary?points=501")).status, 400);
  });

  it("list the newest events first, page by page, with what was recorded a moment ago", async (t) => {
    const { access, clock, rows } = await createServer(t);
    for (const account of ["one", "two", "three"]) {
      access.record(failure({ account }));
      clock.advance(1_000);
    }
    const first = await rows("limit=2");
    assert.deepEqual(
      first.events.map(({ account }) => account),
      ["three", "two"],
    );
    const second = await rows(`limit=2&cursor=${first.cursor}`);
    assert.deepEqual(
      second.events.map(({ account }) => account),
      ["one"],
    );
    assert.equal(second.cursor, undefined);
  });

  it("show the last 24 hours unless asked otherwise", async (t) => {
    const { access, clock, rows } = await createServer(t);
    access.record(failure({ account: "old" }));
    clock.advance(23 * hour + 59 * minute);
    access.record(failure({ account: "new" }));
    assert.equal((await rows()).events.length, 2);
    clock.advance(2 * minute);
    assert.deepEqual(
      (await rows()).events.map(({ account }) => account),
      ["new"],
    );
    assert.equal((await rows(`from=${start}`)).events.length, 2);
  });

  it("sum up", async (t) => {
    const { access, get } = await createServer(t);
    access.record(failure());
    access.record(failure({ kind: "sign-in" }));
    const query = `from=${start - hour}&to=${start + hour}&points=2&kind=sign-in-failed`;
    const summary = (await get(`/_/_/data/access/summary?${query}`)).json<Record<string, unknown>>();
    const { kinds, ...rest } = summary as { kinds: Record<string, number> };
    assert.equal(Object.keys(kinds).length, 10);
    assert.equal(kinds["sign-in"], 1);
    const failures = { count: 1, failures: 1, last_time: start };
    assert.deepEqual(rest, {
      from: start - hour,
      to: start + hour,
      step_ms: hour,
      series: { "sign-in-failed": [0, 1], "sign-in": [0, 1] },
      overflow: 0,
      addresses: [{ name: "192.0.2.1", ...failures }],
      accounts: [{ name: "ada@example.com", ...failures }],
      retention_days: 90,
    });
  });

  it("give a CSV file in which a spreadsheet computes nothing", async (t) => {
    const { access, get } = await createServer(t);
    access.record(failure({ account: '=HYPERLINK("http://evil"),x' }));
    const file = await get("/_/_/data/access.csv");
    assert.match(
      String(file.headers["content-disposition"]),
      /filename="annex-access-2026-03-01T12-00-00Z\.csv"/,
    );
    assert.equal(file.headers["x-content-type-options"], "nosniff");
    assert.deepEqual(file.body.split("\r\n").slice(0, 2), [
      "time,last_time,kind,account,actor,address,agent,trace_id,detail,instance,count",
      `2026-03-01T12:00:00.000Z,2026-03-01T12:00:00.000Z,sign-in-failed,"'=HYPERLINK(""http://evil""),x",,192.0.2.1,curl/8.0,AAAAAAAAAAAAAAAAAA,,web-1,1`,
    ]);
  });

  it("give NDJSON of any length, in pages", async (t) => {
    const { access, clock, get } = await createServer(t);
    for (let count = 0; count < 1_200; count++) {
      access.record(failure({ kind: count % 3 === 0 ? "sign-in" : "lock-out", account: `user-${count}` }));
      if (count % 400 === 0) clock.advance(hour);
    }
    const lines = (await get("/_/_/data/access.ndjson")).body.trimEnd().split("\n");
    const found = lines.map((line) => JSON.parse(line) as Row);
    assert.equal(
      found.reduce((sum, { count }) => sum + count, 0),
      1_200,
    );
    assert.equal((await get("/_/_/data/access.ndjson?limit=7")).body.trimEnd().split("\n").length, 7);
  });
});

describe("a refused request to a route of Annex", () => {
  it("is an event with route, address, agent and trace ID", async (t) => {
    const { inject, rows } = await createServer(t);
    const refused = await inject({
      url: "/_/_/data/access?secret=1",
      headers: { "user-agent": "scanner/1.0" },
    });
    const [row] = (await rows()).events;
    assert.deepEqual(
      [row!.kind, row!.account, row!.detail],
      ["access-refused", null, "GET /_/_/data/access (401)"],
    );
    assert.deepEqual([row!.address, row!.trace_id], ["127.0.0.1", refused.headers["x-trace-id"]]);
  });

  it("names the identity that is not a superuser", async (t) => {
    const { inject, rows } = await createServer(t);
    const url = "/api/collections/_superusers/records";
    assert.equal((await inject({ url, headers: { "x-api-key": "robot" } })).status, 403);
    const [row] = (await rows()).events;
    assert.deepEqual(
      [row!.account, row!.detail],
      ["robot-7", "GET /api/collections/_superusers/records (403)"],
    );
  });

  it("is also a sign-in form that another site sent", async (t) => {
    const { inject, rows } = await createServer(t);
    const headers = { origin: "https://evil.example", "content-type": "application/x-www-form-urlencoded" };
    const body = "identity=ada%40example.com&password=x";
    assert.equal((await inject({ method: "POST", url: "/_/sign-in", headers, body })).status, 403);
    const [row] = (await rows()).events;
    assert.deepEqual([row!.kind, row!.detail], ["access-refused", "POST /_/sign-in (403, cross-site)"]);
  });

  it("is one row, however often an expired dashboard polls", async (t) => {
    const { inject, clock, rows } = await createServer(t);
    for (let count = 0; count < 30; count++) {
      await inject({ url: "/_/_/data/access" });
      await inject({ url: "/_/_/data/access/summary" });
      clock.advance(2_000);
    }
    const { events } = await rows();
    assert.deepEqual(
      events.map(({ count, detail }) => [count, detail]),
      [[60, "GET /_/_/data/access (401), GET /_/_/data/access/summary (401)"]],
    );
  });

  for (const [name, request] of [
    ["a route of the application", { url: "/private" }],
    [
      "a wrong password, which is a failed sign-in",
      {
        method: "POST",
        url: "/api/collections/_superusers/auth-with-password",
        body: { identity: "ada@example.com", password: "wrong one" },
      },
    ],
    ["a page that does not exist", { url: "/_/nothing" }],
    ["the sign-in page", { url: "/_/" }],
  ] as const) {
    it(`is not ${name}`, async (t) => {
      const { inject, access } = await createServer(t);
      await inject(request);
      assert.equal(access.counts["access-refused"], 0);
    });
  }
});
