import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { createOwnedServer } from "../auth/testing/server.ts";
import type { InjectResponse, Listener } from "../http/index.ts";
import { openDatabase } from "../storage/index.ts";
import { mountLogs } from "./routes.ts";
import { logMigrations } from "./store/blocks.ts";
import { createLogStore } from "./store/log-store.ts";
import type { LogPage, LogQuery } from "./store/query.ts";
import { createMemoryLogging } from "./testing/memory-logging.ts";

const url = "/_/_/data/logs";

/** A server whose search only remembers what it was asked. */
async function createAskedServer(t: TestContext) {
  const asked: LogQuery[] = [];
  const search = async (query: LogQuery): Promise<LogPage> => {
    asked.push(query);
    return { items: [], cursor: "5-1" };
  };
  const routes = ({ routes }: Listener) => mountLogs(routes.router("Annex"), search);
  const { inject, token, auth } = await createOwnedServer(t, { routes });
  const headers = { authorization: `Bearer ${token}` };
  return { asked, auth, inject, get: (query: string) => inject({ url: url + query, headers }) };
}

/** A server that logs its requests, keeps them, and finds them again. */
async function createLoggedServer(t: TestContext) {
  const dataDir = mkdtempSync(join(tmpdir(), "annex-logs-"));
  const database = await openDatabase({ dataDir });
  await database.migrate([logMigrations]);
  const retention = { maxAgeMs: 1e12, maxBytes: 1e9 };
  const store = createLogStore({ connection: async () => database, database: { dataDir }, retention });
  const { logging } = createMemoryLogging();
  logging.keepIn(store);
  t.after(async () => {
    await logging.close();
    await database.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const routes = ({ routes, observer }: Listener) => {
    logging.observe(observer);
    mountLogs(routes.router("Annex"), async (query) => {
      await logging.flush();
      return store.search(query);
    });
    const router = routes.router("the application");
    router.get("/todos/{id}", (e) => e.json(200, {}));
    router.post("/todos", (e) => e.json(201, {}));
  };
  const { inject, token } = await createOwnedServer(t, { routes });
  const headers = { authorization: `Bearer ${token}` };
  const get = (query = "") => inject({ url: url + query, headers });
  const find = async (query: string) => (await get(query)).json<LogPage>().items;
  return { inject, get, find, logger: logging.logger };
}

describe("the route of the log records", () => {
  it("is for superusers, and nothing of it is kept by caches", async (t) => {
    const { inject, get, auth, asked } = await createAskedServer(t);
    auth.resolveWith((e) => (e.header("x-api-key") === "robot" ? { id: "robot" } : null));
    const noStore = (answer: InjectResponse) => assert.equal(answer.headers["cache-control"], "no-store");
    for (const [headers, status] of [
      [{}, 401],
      [{ authorization: "Bearer nonsense" }, 401],
      [{ "x-api-key": "robot" }, 403],
    ] as const) {
      const answer = await inject({ url, headers });
      assert.equal(answer.status, status);
      noStore(answer);
    }
    assert.deepEqual(asked, []);
    const answer = await get("");
    assert.equal(answer.status, 200);
    noStore(answer);
    noStore(await get("?limit=none"));
  });

  const noon = Date.parse("2026-03-01T12:00:00Z");
  const understood: { query: string; asked: LogQuery }[] = [
    { query: "", asked: {} },
    { query: "?from=&to=&level=&text=&trace=&event=&method=&status=&path=&limit=&cursor=", asked: {} },
    { query: `?from=${noon}&to=${noon}`, asked: { from: noon, to: noon } },
    { query: "?from=0&to=2026-03-01T12:00:00Z", asked: { from: 0, to: noon } },
    { query: "?from=2026-03-01T12:00:00.000z", asked: { from: noon } },
    { query: "?from=2026-03-01T14:00%2B02:00", asked: { from: noon } },
    { query: "?from=2026-03-01T14:00:00+02:00", asked: { from: noon } },
    { query: "?from=2026-03-01T07:00:00-05:00", asked: { from: noon } },
    { query: "?to=2024-02-29", asked: { to: Date.parse("2024-02-29T00:00:00Z") } },
    { query: "?level=warn", asked: { level: "warn" } },
    { query: "?text=%22a%20b%22%00%FF", asked: { text: '"a b"\0\ufffd' } },
    { query: "?trace=abcdefghij01234567", asked: { traceId: "abcdefghij01234567" } },
    { query: "?event=app_startup", asked: { event: "app_startup" } },
    { query: "?event=http_request&method=post", asked: { event: "http_request", method: "post" } },
    { query: "?status=404", asked: { status: 404 } },
    { query: "?status=4XX", asked: { status: "4xx" } },
    { query: "?path=/todos/%7Bid%7D", asked: { path: "/todos/{id}" } },
    { query: "?path=*.pdf", asked: { path: "*.pdf" } },
    { query: "?min_duration=0.5&max_duration=0.5", asked: { minDurationMs: 0.5, maxDurationMs: 0.5 } },
    { query: "?min_duration=0", asked: { minDurationMs: 0 } },
    { query: "?limit=1000&cursor=5-1", asked: { limit: 1000, cursor: "5-1" } },
    { query: "?limit=1&limit=none&unknown=1", asked: { limit: 1 } },
  ];
  for (const { query, asked: expected } of understood) {
    it(`understands ${query || "no query"}`, async (t) => {
      const { get, asked } = await createAskedServer(t);
      const answer = await get(query);
      assert.equal(answer.status, 200, answer.body);
      assert.deepEqual(answer.json(), { items: [], cursor: "5-1" });
      assert.deepEqual(JSON.parse(JSON.stringify(asked)), [expected]);
    });
  }

  const refused: [query: string, ...problems: [field: string, says: RegExp][]][] = [
    ["?from=yesterday", ["from", /from must be a time such as 2026-03-01T12:00:00Z, or milliseconds/]],
    ["?from=2026-03-01T12:00:00", ["from", /a time such as/]],
    ["?from=2026-02-30", ["from", /a time such as/]],
    ["?to=2026-13-01T00:00:00Z", ["to", /a time such as/]],
    ["?to=-1", ["to", /a time such as/]],
    ["?to=1e3", ["to", /a time such as/]],
    ["?from=2&to=1", ["to", /no earlier than from/]],
    ["?level=fatal", ["level", /one of debug, info, warn, error/]],
    ["?level=toString", ["level", /one of/]],
    ["?trace=abc", ["trace", /18 letters and digits/]],
    ["?trace=abcdefghij0123456%27", ["trace", /18 letters and digits/]],
    ["?method=G%20T", ["method", /such as GET/]],
    ["?status=4x", ["status", /such as 404, or a class of them such as 4xx/]],
    ["?status=999", ["status", /such as 404/]],
    ["?status=404+Not+Found", ["status", /such as 404/]],
    ["?path=todos", ["path", /such as \/api\/v1\/todos\/\{id\} or \*\.pdf/]],
    [`?path=/${"a".repeat(1_024)}`, ["path", /at most 1024 characters/]],
    ["?min_duration=1s", ["min_duration", /a number of milliseconds/]],
    ["?max_duration=-1", ["max_duration", /a number of milliseconds/]],
    ["?min_duration=2&max_duration=1", ["max_duration", /no less than min_duration/]],
    ["?event=log&status=404", ["event", /http_request or left out, because only requests have/]],
    ["?limit=0", ["limit", /a whole number from 1 to 1000/]],
    ["?limit=1001", ["limit", /from 1 to 1000/]],
    ["?limit=1.5", ["limit", /from 1 to 1000/]],
    ["?cursor=nonsense", ["cursor", /one that an earlier page gave out/]],
    [
      "?from=x&to=y&level=z&limit=none",
      ["from", /a time/],
      ["to", /a time/],
      ["level", /one of/],
      ["limit", /from 1/],
    ],
  ];
  for (const [query, ...problems] of refused) {
    it(`refuses ${query.slice(0, 60)} and says what would be right`, async (t) => {
      const { get, asked } = await createAskedServer(t);
      const answer = await get(query);
      assert.equal(answer.status, 400);
      const { data, message } = answer.json<{
        message: string;
        data: Record<string, { code: string; message: string }>;
      }>();
      assert.deepEqual(Object.keys(data).sort(), problems.map(([field]) => field).sort());
      for (const [field, says] of problems) {
        assert.equal(data[field]!.code, "invalid");
        assert.match(data[field]!.message, says);
        assert.ok(message.includes(data[field]!.message));
      }
      assert.deepEqual(asked, []);
    });
  }
});

describe("log records by the route", () => {
  it("are found by what the requests were, page by page, and looking at them adds none", async (t) => {
    const { inject, get, find } = await createLoggedServer(t);
    for (const id of [1, 2, 3]) await inject({ url: `/todos/${id}` });
    await inject({ url: "/todos", method: "POST" });
    const missed = await inject({ url: "/nothing" });
    const paths = async (query: string) => (await find(query)).map(({ path }) => path);
    assert.deepEqual(await paths("?path=/todos/{id}"), ["/todos/3", "/todos/2", "/todos/1"]);
    assert.deepEqual(await paths("?status=4xx"), ["/nothing"]);
    assert.deepEqual(await paths(`?trace=${missed.headers["x-trace-id"]}`), ["/nothing"]);
    assert.deepEqual(await paths("?method=post&path=/todos*&max_duration=60000"), ["/todos"]);
    assert.deepEqual(await paths("?min_duration=60000"), []);
    assert.deepEqual(await paths("?path=/_/*"), []);

    const first = (await get("?limit=2&path=/todos/*")).json<LogPage>();
    const second = (await get(`?limit=2&path=/todos/*&cursor=${first.cursor}`)).json<LogPage>();
    assert.deepEqual(
      [...first.items, ...second.items].map(({ path }) => path),
      ["/todos/3", "/todos/2", "/todos/1"],
    );
    assert.equal(second.cursor, undefined);
  });

  it("are plain JSON text, whatever a client sends", async (t) => {
    const { inject, get, logger } = await createLoggedServer(t);
    const hostile = "<script>alert('é')</script>\xff\xfe\t\"\\";
    await inject({ url: "/todos/%ff%fe?secret=1", headers: { "user-agent": hostile } });
    const answer = await get("?event=http_request&path=*%25ff*");
    assert.equal(answer.headers["content-type"], "application/json; charset=utf-8");
    assert.doesNotThrow(() => new TextDecoder("utf-8", { fatal: true }).decode(answer.bytes));
    const [request, ...others] = answer.json<LogPage>().items;
    assert.deepEqual(others, []);
    assert.equal(request!.user_agent, hostile);
    assert.equal(request!.path, "/todos/%ff%fe");
    assert.equal(request!.status, "400 Bad Request");

    const message = "\u0000\u0007\u001b[31mred\u2028\ud800 </script>\n";
    logger.info(message, { deep: { key: message } });
    const [line] = (await get("?level=info&text=%1b[31MRED")).json<LogPage>().items;
    assert.equal(line!.msg, message);
    assert.deepEqual(line!.deep, { key: message });
  });
});
