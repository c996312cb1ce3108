import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createOwnedServer } from "../../auth/testing/server.ts";
import { createEvents } from "../../feature/index.ts";
import type { InjectResponse, Listener } from "../../http/index.ts";
import { type Cleanup, share } from "../../lib/testing/share.ts";
import { openDatabase } from "../../storage/index.ts";
import type { ReadFilePage, Search } from "./files.ts";
import type { Logging, LogRecording } from "./logging.ts";
import { type LogSource, mountLogs } from "./routes.ts";
import { attachLogging } from "./setup.ts";
import { logMigrations } from "./store/blocks.ts";
import { createLogStore } from "./store/log-store.ts";
import { toFilePage } from "./store/search/file-page.ts";
import type { LogPage, LogQuery } from "./store/search/query.ts";
import type { LogVolume, VolumeQuery } from "./store/search/volume.ts";
import { createMemoryLogging } from "./testing/memory-logging.ts";

const url = "/_/_/data/logs";

const recording: LogRecording = { level: "debug", requests: true, sample: 1, stored: true };
const noon = Date.parse("2026-03-01T12:00:00Z");

const sourceOf = (search: Search): LogSource => ({
  search,
  readFile: async (query, format) => toFilePage(await search(query), format),
});

/** A server whose search and volume functions only record their queries. */
async function createAskedServer(t: Cleanup, response: LogPage = { items: [], cursor: "5-1" }) {
  const asked: LogQuery[] = [];
  const counted: VolumeQuery[] = [];
  const search = async (query: LogQuery): Promise<LogPage> => {
    asked.push(query);
    return response;
  };
  const volume = async (query: VolumeQuery): Promise<LogVolume> => {
    counted.push(query);
    return { from: 1, to: 2, stepMs: 3, points: [], reached: 4 };
  };
  const logging = { recording: () => recording, volume } as Partial<Logging> as Logging;
  const routes = (listener: Listener) => {
    attachLogging(listener.app, logging, createEvents(listener.observer));
    mountLogs(listener.routes.router("Annex"), sourceOf(search), { now: () => noon });
  };
  const { inject, token, auth } = await createOwnedServer(t, { routes });
  const headers = { authorization: `Bearer ${token}` };
  const getFrom = (path: string) => inject({ url: `/_/_/data/${path}`, headers });
  return { asked, counted, auth, inject, getFrom, get: (query: string) => getFrom(`logs${query}`) };
}

/** Shared by tests that only read. */
const server = share(createAskedServer);

async function askAnew() {
  const { asked, counted, ...rest } = await server();
  asked.length = 0;
  counted.length = 0;
  return { asked, counted, ...rest };
}

/** A server that logs and stores its requests and can search them. */
async function createLoggedServer(t: TestContext) {
  const dataDir = mkdtempSync(join(tmpdir(), "annex-logs-"));
  const database = await openDatabase({ dataDir });
  await database.migrate([logMigrations]);
  const retention = { maxAgeMs: 1e12, maxBytes: 1e9 };
  const store = createLogStore({
    connection: async () => database,
    database: { dataDir },
    retention,
    instance: "web-1",
  });
  const { logging } = createMemoryLogging();
  logging.storeIn(store);
  t.after(async () => {
    await logging.close();
    await database.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const routes = ({ app, routes, observer }: Listener) => {
    attachLogging(app, logging, createEvents(observer));
    logging.observe(createEvents(observer));
    const search = async (query: LogQuery) => {
      await logging.flush();
      return store.search(query);
    };
    const readFile: ReadFilePage = async (query, format) => {
      await logging.flush();
      return store.file(query, format);
    };
    mountLogs(routes.router("Annex"), { search, readFile });
    const router = routes.router("the application");
    router.get("/todos/{id}", (e) => e.json(200, {}));
    router.post("/todos", (e) => e.json(201, {}));
  };
  const { inject, token, listener } = await createOwnedServer(t, { routes });
  const headers = { authorization: `Bearer ${token}` };
  const getFrom = (path: string) => inject({ url: `/_/_/data/${path}`, headers });
  const get = (query = "") => getFrom(`logs${query}`);
  const find = async (query: string) => (await get(query)).json<LogPage>().items;
  return { inject, get, getFrom, find, headers, listener, logger: logging.logger };
}

describe("the route of the log records", () => {
  it("is for superusers, and nothing of it is kept by caches", async (t) => {
    const { inject, get, auth, asked, counted } = await createAskedServer(t);
    auth.resolveWith((e) => (e.header("x-api-key") === "robot" ? { id: "robot" } : null));
    const noStore = (response: InjectResponse) => assert.equal(response.headers["cache-control"], "no-store");
    for (const path of [url, `${url}/volume`, `${url}.ndjson`, "/_/_/data/requests.csv"])
      for (const [headers, status] of [
        [{}, 401],
        [{ authorization: "Bearer nonsense" }, 401],
        [{ "x-api-key": "robot" }, 403],
      ] as const) {
        const response = await inject({ url: path, headers });
        assert.equal(response.status, status);
        noStore(response);
      }
    assert.deepEqual([asked, counted], [[], []]);
    const response = await get("");
    assert.equal(response.status, 200);
    noStore(response);
    noStore(await get("?limit=none"));
  });

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
    { query: "?level=4", asked: { level: "warn" } },
    { query: "?levels=-4,error", asked: { levels: ["debug", "error"] } },
    { query: "?levels=error", asked: { levels: ["error"] } },
    { query: "?levels=debug,error&levels=x", asked: { levels: ["debug", "error"] } },
    { query: "?where=user.id:7", asked: { where: [{ field: "user.id", value: "7" }] } },
    {
      query: "?where=a:b:c&where=&where=d:&not=level:ERROR",
      asked: {
        where: [
          { field: "a", value: "b:c" },
          { field: "d", value: "" },
        ],
        not: [{ field: "level", value: "ERROR" }],
      },
    },
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
    it(`understands ${query || "no query"}`, async () => {
      const { get, asked } = await askAnew();
      const response = await get(query);
      assert.equal(response.status, 200, response.body);
      assert.deepEqual(response.json(), { items: [], cursor: "5-1", recording });
      assert.deepEqual(JSON.parse(JSON.stringify(asked)), [expected]);
    });
  }

  const refused: [query: string, ...problems: [field: string, says: RegExp][]][] = [
    ["?from=yesterday", ["from", /from must be a time such as 2026-11-15T14:00:00Z, or milliseconds/]],
    ["?from=2026-03-01T12:00:00", ["from", /a time such as/]],
    ["?from=2026-02-30", ["from", /a time such as/]],
    ["?to=2026-13-01T00:00:00Z", ["to", /a time such as/]],
    ["?to=-1", ["to", /a time such as/]],
    ["?to=1e3", ["to", /a time such as/]],
    ["?from=2&to=1", ["to", /no earlier than from/]],
    ["?level=fatal", ["level", /one of debug, info, warn, error/]],
    ["?level=toString", ["level", /one of/]],
    [
      "?levels=debug,fatal",
      [
        "levels",
        /one or more levels, separated by commas, each one of debug, info, warn, error, or -4, 0, 4, 8/,
      ],
    ],
    ["?levels=debug,", ["levels", /one or more levels/]],
    ["?where=status", ["where", /field:value, at most 10 times/]],
    ["?not=:200", ["not", /field:value/]],
    [`?where=${"a".repeat(201)}:1`, ["where", /a field of 1 to 200 characters/]],
    [`?not=a:${"b".repeat(2_001)}`, ["not", /a value of at most 2000/]],
    [`?${"where=a:1&".repeat(11)}not=b`, ["where", /at most 10 times/], ["not", /field:value/]],
    ["?trace=abc", ["trace", /18 letters and digits/]],
    ["?trace=abcdefghij0123456%27", ["trace", /18 letters and digits/]],
    ["?method=G%20T", ["method", /such as GET/]],
    ["?status=4x", ["status", /such as 404, or a class such as 4xx/]],
    ["?status=999", ["status", /such as 404/]],
    ["?status=404+Not+Found", ["status", /such as 404/]],
    ["?path=todos", ["path", /such as \/todos\/\{id\} or \*\.pdf/]],
    [`?path=/${"a".repeat(1_024)}`, ["path", /at most 1024 characters/]],
    ["?min_duration=1s", ["min_duration", /a number of milliseconds/]],
    ["?max_duration=-1", ["max_duration", /a number of milliseconds/]],
    ["?min_duration=2&max_duration=1", ["max_duration", /no less than min_duration/]],
    ["?event=log&status=404", ["event", /http_request or omitted, because only requests have/]],
    ["?limit=0", ["limit", /an integer from 1 to 1000/]],
    ["?limit=1001", ["limit", /from 1 to 1000/]],
    ["?limit=1.5", ["limit", /from 1 to 1000/]],
    ["?cursor=nonsense", ["cursor", /the cursor of a previous page/]],
    [
      "?from=x&to=y&level=z&limit=none",
      ["from", /a time/],
      ["to", /a time/],
      ["level", /one of/],
      ["limit", /from 1/],
    ],
  ];
  for (const [query, ...problems] of refused) {
    it(`refuses ${query.slice(0, 60)} and says what would be right`, async () => {
      const { get, asked } = await askAnew();
      const response = await get(query);
      assert.equal(response.status, 400);
      const { data, message } = response.json<{
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

describe("the route of the volume", () => {
  const hour = 3_600_000;

  it("returns it in the format of the API, with the time it reached", async (t) => {
    const { getFrom } = await createAskedServer(t);
    const response = await getFrom("logs/volume");
    assert.deepEqual(response.json(), {
      from: 1,
      to: 2,
      step_ms: 3,
      points: [],
      complete: false,
      reached: 4,
    });
  });

  const understood: { query: string; counted: VolumeQuery }[] = [
    { query: "", counted: { from: noon - hour, to: noon, points: 120 } },
    { query: "?from=5&to=2026-03-01T12:00:00Z&points=2000", counted: { from: 5, to: noon, points: 2_000 } },
    {
      query: "?from=5&to=9&levels=warn&status=4xx&not=ip:::1&before=7&limit=none&cursor=none",
      counted: {
        ...{ from: 5, to: 9, points: 120, before: 7 },
        ...{ levels: ["warn"], status: "4xx", not: [{ field: "ip", value: "::1" }] },
      },
    },
  ];
  for (const { query, counted: expected } of understood) {
    it(`understands ${query || "no query"}`, async () => {
      const { getFrom, counted } = await askAnew();
      assert.equal((await getFrom(`logs/volume${query}`)).status, 200);
      assert.deepEqual(JSON.parse(JSON.stringify(counted)), [expected]);
    });
  }

  for (const [query, ...fields] of [
    ["?points=0", "points"],
    ["?points=2001", "points"],
    ["?before=soon", "before"],
    ["?from=5&to=5", "to"],
    ["?from=x&status=9&where=y", "from", "status", "where"],
  ] as const) {
    it(`refuses ${query}`, async () => {
      const { getFrom, counted } = await askAnew();
      const response = await getFrom(`logs/volume${query}`);
      assert.equal(response.status, 400);
      assert.deepEqual(Object.keys(response.json<{ data: object }>().data).sort(), fields);
      assert.deepEqual(counted, []);
    });
  }

  it("counts what is kept", async (t) => {
    const { inject, getFrom, logger } = await createLoggedServer(t);
    for (const id of [1, 2, 3]) await inject({ url: `/todos/${id}` });
    logger.warn("careful");
    const sum = async (query: string) => {
      const volume = (await getFrom(`logs/volume?points=10${query}`)).json<
        LogVolume & { complete: boolean }
      >();
      assert.equal(volume.complete, true);
      return ["debug", "info", "warn", "error"].map((level) =>
        volume.points.reduce((total, point) => total + point[level as "debug"], 0),
      );
    };
    const [debug, ...others] = await sum("&path=/todos/*");
    assert.deepEqual([debug, others], [3, [0, 0, 0]]);
    const [requests, ...more] = await sum("");
    assert.ok(requests! >= 3);
    assert.deepEqual(more, [0, 1, 0]);
    assert.deepEqual(await sum("&levels=warn"), [0, 0, 1, 0]);
  });
});

describe("files of log records", () => {
  const record = { time: "2026-03-01T12:00:00.000Z", level: "DEBUG", msg: "m", event: "http_request" };

  it("are named, typed and not to be sniffed", async (t) => {
    const { getFrom, asked } = await createAskedServer(t, { items: [{ ...record, text: "é\n" }] });
    const lines = await getFrom("logs.ndjson?level=warn");
    assert.equal(lines.body, `${JSON.stringify({ ...record, text: "é\n" })}\n`);
    assert.equal(lines.headers["content-type"], "application/x-ndjson; charset=utf-8");
    const disposition = 'attachment; filename="annex-logs-2026-03-01T12-00-00Z.ndjson"';
    assert.equal(lines.headers["content-disposition"], disposition);
    assert.equal(lines.headers["x-content-type-options"], "nosniff");
    const table = await getFrom("requests.csv?status=4xx");
    assert.equal(table.headers["content-type"], "text/csv; charset=utf-8");
    assert.match(String(table.headers["content-disposition"]), /"annex-requests-2026-03-01T12-00-00Z\.csv"/);
    assert.deepEqual(JSON.parse(JSON.stringify(asked)), [
      { level: "warn", limit: 1000 },
      { status: "4xx", event: "http_request", limit: 1000 },
    ]);
  });

  for (const [path, field] of [
    ["logs.ndjson?limit=100001", "limit"],
    ["logs.ndjson?limit=0", "limit"],
    ["requests.csv?where=x", "where"],
    ["requests.csv?event=log", "event"],
    ["requests.csv?event=log&status=200", "event"],
  ] as const) {
    it(`are refused for ${path}`, async () => {
      const { getFrom, asked } = await askAnew();
      const response = await getFrom(path);
      assert.equal(response.status, 400);
      assert.deepEqual(Object.keys(response.json<{ data: object }>().data), [field]);
      assert.equal(response.headers["content-disposition"], undefined);
      assert.deepEqual(asked, []);
    });
  }

  it("contain the search results, newest first, up to a limit", async (t) => {
    const { inject, getFrom } = await createLoggedServer(t);
    for (let index = 0; index < 1_100; index++) await inject({ url: `/todos/${index}` });
    const paths = (text: string) =>
      text
        .split("\n")
        .slice(0, -1)
        .map((line) => (JSON.parse(line) as { path: string }).path);
    const all = Array.from({ length: 1_100 }, (_, index) => `/todos/${1_099 - index}`);
    assert.deepEqual(paths((await getFrom("logs.ndjson?path=/todos/*")).body), all);
    assert.deepEqual(
      paths((await getFrom("logs.ndjson?path=/todos/*&limit=1001")).body),
      all.slice(0, 1_001),
    );
    assert.equal((await getFrom("logs.ndjson?text=nowhere")).body, "");
  });

  it("of requests are tables that no spreadsheet computes", async (t) => {
    const { inject, getFrom, logger } = await createLoggedServer(t);
    const { headers } = await inject({ url: "/todos/1,2", headers: { "user-agent": '=cmd|"x"' } });
    logger.info("own", { event: "http_request", status: 200, path: ["/"], duration: "soon", sample: 0.25 });
    const [head, own, request, ...rest] = (await getFrom("requests.csv?not=path:/none")).body.split("\r\n");
    assert.equal(
      head,
      "time,method,path,status,duration_ms,ip,user_agent,content_length,trace_id,instance,sample",
    );
    assert.match(own!, /^[-\d:.TZ]{24},,,,,,,,,web-1,0\.25$/);
    const cells =
      /^[-\d:.TZ]{24},GET,"\/todos\/1,2",200,([\d.]+),127\.0\.0\.1,"'=cmd\|""x""",0,(\w{18}),web-1,$/;
    const [, duration, trace] = cells.exec(request!) ?? [];
    assert.ok(Number(duration) > 0, request);
    assert.equal(trace, headers["x-trace-id"]);
    assert.ok(rest.length > 0);
  });

  /** A page of more than one megabyte. */
  const largePage = Array.from({ length: 1_000 }, () => ({ ...record, text: "x".repeat(1_000) }));

  /** A server whose search returns such a page a thousand times. */
  async function createEndlessServer(t: TestContext, items: LogPage["items"] = largePage) {
    const pages = { asked: 0 };
    const search = async (): Promise<LogPage> => {
      await nextTurn();
      return ++pages.asked < 1_000 ? { items, cursor: "5-1" } : { items };
    };
    const routes = ({ routes }: Listener) => {
      mountLogs(routes.router("Annex"), sourceOf(search));
      routes.router("the application").get("/ping", (e) => e.noContent());
    };
    const { listener, token, inject } = await createOwnedServer(t, { routes });
    const { port } = await listener.listen("127.0.0.1", 0);
    t.after(() => listener.close(0));
    const file = request({
      port,
      path: "/_/_/data/logs.ndjson",
      headers: { authorization: `Bearer ${token}` },
    });
    file.end();
    const [response] = (await once(file, "response")) as [IncomingMessage];
    return { pages, response, file, inject };
  }

  it("are read no faster than the client takes them, and other requests are served meanwhile", async (t) => {
    const { pages, response, inject } = await createEndlessServer(t);
    for (let index = 0; index < 200; index++) assert.equal((await inject({ url: "/ping" })).status, 204);
    assert.ok(pages.asked < 20, `${pages.asked} pages for a client that takes none`);
    let bytes = 0;
    for await (const chunk of response) bytes += chunk.length;
    assert.equal(pages.asked, 100);
    assert.ok(bytes > 100_000_000, `${bytes} bytes`);
  });

  it("are read no further when the client leaves", async (t) => {
    const { pages, response, file, inject } = await createEndlessServer(t);
    await once(response, "data");
    file.destroy();
    await once(response, "close").catch(() => {});
    for (let index = 0; index < 100; index++) await inject({ url: "/ping" });
    assert.ok(pages.asked < 20, `${pages.asked} pages`);
  });

  it("start immediately and end with the client, even if nothing is found", async (t) => {
    const { pages, file, inject } = await createEndlessServer(t, []);
    file.destroy();
    for (let index = 0; index < 100; index++) await inject({ url: "/ping" });
    const { asked } = pages;
    for (let index = 0; index < 100; index++) await inject({ url: "/ping" });
    assert.equal(pages.asked, asked);
    assert.ok(asked < 1_000, `${asked} pages`);
  });

  it("that break are cut off, so that half a file does not look whole", async (t) => {
    const search = async ({ cursor }: LogQuery): Promise<LogPage> => {
      if (cursor !== undefined) throw new Error("no disk");
      return { items: [record], cursor: "5-1" };
    };
    const routes = ({ routes }: Listener) => mountLogs(routes.router("Annex"), sourceOf(search));
    const { inject, token } = await createOwnedServer(t, { routes });
    const headers = { authorization: `Bearer ${token}` };
    await assert.rejects(inject({ url: `${url}.ndjson`, headers }));
  });
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
    const response = await get("?event=http_request&path=*%25ff*");
    assert.equal(response.headers["content-type"], "application/json; charset=utf-8");
    assert.doesNotThrow(() => new TextDecoder("utf-8", { fatal: true }).decode(response.bytes));
    const [request, ...others] = response.json<LogPage>().items;
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

  it("include what is currently recorded", async (t) => {
    const { get, logger } = await createLoggedServer(t);
    const read = async () => (await get("?limit=1")).json<{ recording: LogRecording }>().recording;
    assert.deepEqual(await read(), { level: "debug", requests: true, sample: 1, stored: true });
    logger.level = "info";
    assert.deepEqual(await read(), { level: "info", requests: false, sample: 1, stored: true });
  });
});
