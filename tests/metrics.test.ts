import assert from "node:assert/strict";
import { renameSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createTestApp } from "../src/app/testing/test-app.ts";
import type { ErrorDetail, RequestSeries, RequestStats, RouteTable } from "../src/features/metrics/wire.ts";
import type { App, AppOptions } from "../src/index.ts";
import { type Cleanup, share } from "../src/lib/testing/share.ts";
import { settles, until } from "../src/lib/testing/until.ts";
import { createTestDatabase } from "./support/postgres.ts";
import { createFolder, startSource } from "./support/program.ts";

const ada = { identity: "ada@example.com", password: "correct horse" };
const scrapeToken = "let-the-scraper-in";

function addRoutes(app: App): void {
  app.onServe(({ router }) => {
    router.get("/things/{id}", (e) => e.json(200, { id: e.pathValue("id") }));
    router.get("/broken", () => {
      throw new TypeError("it broke");
    });
    let meet: (() => void) | undefined;
    // The first to come waits for the second.
    router.get("/meetings/{id}", async (e) => {
      if (meet) meet();
      else await new Promise<void>((resolve) => (meet = resolve));
      return e.json(200, {});
    });
  });
}

async function signIn(app: App): Promise<Record<string, string>> {
  if ((await app.superusers.list()).length === 0) await app.superusers.create(ada.identity, ada.password);
  const url = "/api/collections/_superusers/auth-with-password";
  const login = await app.inject({ method: "POST", url, body: ada });
  return { authorization: `Bearer ${login.json<{ token: string }>().token}` };
}

async function createMeasuredApp(t: Cleanup, options: AppOptions = {}) {
  const app = createTestApp(t, { metrics: { scrapeToken }, ...options });
  addRoutes(app);
  app.authenticate((e) => (e.header("x-api-key") === "robot" ? { id: "robot" } : null));
  app.jobs.registerJob("bad", "Bad", "Fails", "0 0 1 1 *", () => {
    throw new RangeError("out of order");
  });
  const headers = await signIn(app);
  const inject = (url: string) => app.inject({ url: `/_/_${url}`, headers });
  const get = async <Body>(url: string) => (await inject(url)).json<Body>();
  return { app, inject, get, headers };
}

interface Found {
  trace_id: string;
  time: number;
  started_at: number;
  duration_ms: number;
  headers: { name: string; value: string }[];
  in_flight: { trace_id: string; path: string; route: string; status: number }[];
}

const things = ({ routes }: RouteTable): RequestStats =>
  routes.find(({ route }) => route === "GET /things/{id}")!;

describe("the data of the dashboard", () => {
  const shared = share(createMeasuredApp);
  const names = [
    "requests",
    "requests/x",
    "routes",
    "routes.csv",
    "disk",
    "slowest",
    "system",
    "errors",
    "errors/x",
    "recent",
    "instances",
    "now",
  ];
  for (const path of [...names, "logs", "visitors"]
    .map((name) => `/data/${name}`)
    .concat("/live", "/metrics")) {
    it(`is for superusers only: ${path}`, async () => {
      const { app } = await shared();
      const robot = { "x-api-key": "robot" };
      assert.equal((await app.inject({ url: `/_/_${path}` })).status, 401);
      assert.equal((await app.inject({ url: `/_/_${path}`, headers: robot })).status, 403);
    });
  }

  it("counts requests by route, and itself not at all", async (t) => {
    const { app, inject, get } = await createMeasuredApp(t);
    for (let index = 0; index < 20; index++) await app.inject({ url: `/things/${index}` });
    await app.inject({ url: "/favicon.ico" });
    assert.equal((await inject("/data/recent")).headers["cache-control"], "no-store");
    const table = await get<RouteTable>("/data/routes");
    const { count, status_2xx, p50_ms, p99_ms } = things(table);
    assert.deepEqual([count, status_2xx], [20, 20]);
    assert.ok(p50_ms! > 0 && p99_ms! >= p50_ms!);
    assert.equal(
      table.routes.some(({ route }) => route.includes("/_/_") || route === "(no route)"),
      false,
    );
    const chart = await get<RequestSeries>("/data/requests?route=GET%20/things/{id}&points=10");
    assert.equal(chart.totals.count, 20);
    assert.equal(
      chart.points.reduce((sum, point) => sum + point.count, 0),
      20,
    );
  });

  it("groups what failed, requests and jobs, and finds the trace", async (t) => {
    const { app, inject, get } = await createMeasuredApp(t);
    const responses = [await app.inject({ url: "/broken" }), await app.inject({ url: "/broken" })];
    await app.jobs.run("bad");
    type Failure = { origin: string; type: string; count: number; fingerprint: string };
    const { errors } = await until(
      "two kinds of errors",
      () => get<{ errors: Failure[] }>("/data/errors"),
      ({ errors }) => errors.length === 2,
    );
    const found = errors.map(({ origin, type, count }) => [origin, type, count]);
    assert.deepEqual(found.sort(), [
      ["GET /broken", "TypeError", 2],
      ["job bad", "RangeError", 1],
    ]);
    const { fingerprint } = errors.find(({ origin }) => origin === "GET /broken")!;
    const { stack, samples } = await get<ErrorDetail>(`/data/errors/${fingerprint}`);
    assert.match(stack, /^TypeError: it broke\n\s+at /);
    assert.deepEqual(
      samples.map(({ trace_id }) => trace_id).sort(),
      responses.map(({ headers }) => headers["x-trace-id"]).sort(),
    );
    assert.equal((await inject("/data/errors/unknown")).status, 404);
  });

  const refused: [path: string, field: string][] = [
    ["/data/requests?from=yesterday", "from"],
    ["/data/routes?to=2026-02-30", "to"],
    ["/data/requests?from=5&to=4", "to"],
    ["/data/requests?points=0", "points"],
    ["/data/requests?points=1e9", "points"],
    ["/data/recent?limit=-1", "limit"],
    ["/data/recent?after=x", "after"],
    ["/data/recent?status=9xx", "status"],
    ["/data/recent?method=G%20T", "method"],
    ["/data/recent?path=todos", "path"],
    [`/data/recent?path=/${"x".repeat(1_024)}`, "path"],
    [`/data/recent?route=${"x".repeat(301)}`, "route"],
    ["/data/recent?min_duration=-1", "min_duration"],
    ["/data/recent?min_duration=5&max_duration=4", "max_duration"],
    ["/data/recent?trace=x", "trace"],
    ["/data/requests?compare=maybe", "compare"],
    ["/data/routes?compare=1e9", "compare"],
    ["/data/system?compare=maybe", "compare"],
    ["/data/errors?origin=%00", "origin"],
    [`/data/errors?text=${"x".repeat(301)}`, "text"],
    ["/data/errors/abcdefghijklmnop?points=0", "points"],
    ["/data/logs?status=9xx", "status"],
  ];
  for (const [path, field] of refused) {
    it(`refuses ${path} and names the field`, async () => {
      const { inject } = await shared();
      const response = await inject(path);
      assert.equal(response.status, 400);
      assert.deepEqual(Object.keys(response.json<{ data: object }>().data), [field]);
    });
  }

  it("gives back what strangers send as plain text, cut to a length", async (t) => {
    const { app, inject, get } = await createMeasuredApp(t);
    const agents = ["<script>alert(1)</script>", "a\tb", "x".repeat(8_000), "\xff\xfe\xe9"];
    const url = `/things/%3Cimg%20src=x%3E%00%ff${"y".repeat(6_000)}`;
    for (const agent of agents) await app.inject({ url, headers: { "user-agent": agent } });
    const response = await inject("/data/recent?limit=4");
    assert.match(String(response.headers["content-type"]), /^application\/json/);
    const { requests } = response.json<{ requests: { user_agent: string; path: string }[] }>();
    assert.deepEqual(
      requests.map(({ user_agent }) => user_agent.slice(0, 25)),
      agents.toReversed().map((agent) => agent.slice(0, 25)),
    );
    assert.ok(requests.every(({ path, user_agent }) => path.length <= 513 && user_agent.length <= 513));
    const slowest = await get<{ requests: { path: string }[] }>("/data/slowest");
    assert.ok(slowest.requests.every(({ path }) => path.length <= 257));
  });

  it("finds a request by its trace ID, with its headers and without its secrets", async (t) => {
    const { app, inject } = await createMeasuredApp(t, { instance: "web-1" });
    const headers = {
      authorization: "Bearer s3cr3t",
      cookie: "sid=s3cr3t",
      "x-api-key": "s3cr3t",
      referer: "https://example.com/?token=s3cr3t&page=2",
      "x-plain": "<b>\xe9</b>",
    };
    const both = await Promise.all([
      app.inject({ url: "/meetings/1?token=s3cr3t", headers }),
      app.inject({ url: "/meetings/2" }),
    ]);
    const [id, other] = both.map((response) => String(response.headers["x-trace-id"]));
    const response = await inject(`/data/requests/${id}`);
    assert.equal(response.status, 200);
    assert.equal(response.body.includes("s3cr3t"), false);
    const found = response.json<Found>();
    assert.partialDeepStrictEqual(found, {
      instance: "web-1",
      trace_id: id,
      method: "GET",
      path: "/meetings/1",
      route: "/meetings/{id}",
      status: 200,
    });
    assert.ok(found.started_at <= found.time && found.time - found.started_at <= found.duration_ms + 1);
    const shown = (name: string) => found.headers.find((header) => header.name === name)?.value;
    assert.deepEqual(["authorization", "cookie", "x-api-key", "referer", "x-plain", "host"].map(shown), [
      "[redacted]",
      "[redacted]",
      "[redacted]",
      "https://example.com/?token=[redacted]&page=2",
      "<b>\xe9</b>",
      "127.0.0.1",
    ]);
    assert.deepEqual(
      found.in_flight.map(({ trace_id, path, route, status }) => [trace_id, path, route, status]),
      [[other, "/meetings/2", "/meetings/{id}", 200]],
    );
    for (const unknown of ["x", "a".repeat(18), "%3Cb%3E"]) {
      assert.equal((await inject(`/data/requests/${unknown}`)).status, 404);
    }
  });

  it("returns only new requests after a cursor", async (t) => {
    const { app, get } = await createMeasuredApp(t, { instance: "web-1" });
    const ask = (query: string) =>
      get<{ instance: string; newest: number; requests: { number: number; path: string }[] }>(
        `/data/recent?${query}`,
      );
    const { newest, instance } = await ask("limit=1");
    assert.equal(instance, "web-1");
    await app.inject({ url: "/things/1" });
    await app.inject({ url: "/nothing/here" });
    await app.inject({ url: "/broken" });
    const pathsOf = async (query: string) => (await ask(query)).requests.map(({ path }) => path);
    assert.deepEqual(await pathsOf(`after=${newest}`), ["/broken", "/nothing/here", "/things/1"]);
    assert.deepEqual(await pathsOf(`after=${newest}&status=4XX&method=get`), ["/nothing/here"]);
    assert.deepEqual(await pathsOf("route=GET%20/things/{id}&path=/things/*"), ["/things/1"]);
    assert.deepEqual(await pathsOf("route=(no%20route)"), ["/nothing/here"]);
    assert.deepEqual(await pathsOf("min_duration=60000"), []);
    const again = await ask(`after=${newest + 3}`);
    assert.deepEqual([again.newest, again.requests], [newest + 3, []]);
  });

  it("compares with the window before, and gives the routes as a file", async (t) => {
    // The window before is that of the program's first minute.
    const began = Math.floor(Date.now() / 1_000) * 1_000;
    const { app, inject, get } = await createMeasuredApp(t);
    for (let index = 0; index < 5; index++) await app.inject({ url: `/things/${index}` });
    await get("/data/routes");
    const window = `from=${began + 60_000}&to=${began + 120_000}&compare=true`;
    const table = await get<RouteTable>(`/data/routes?${window}`);
    assert.equal(table.previous!.count, 6, "five and the sign-in");
    const series = await get<RequestSeries>(`/data/requests?${window}&route=GET%20/things/{id}`);
    assert.equal(series.previous!.count, 5);
    const file = await inject("/data/routes.csv");
    assert.equal(file.headers["content-type"], "text/csv; charset=utf-8");
    assert.equal(file.headers["content-disposition"], 'attachment; filename="routes.csv"');
    const [header, ...lines] = file.body.trimEnd().split("\r\n");
    assert.match(header!, /^route,count,.*,p95_ms,.*,previous_p95_ms,previous_status_5xx$/);
    assert.ok(lines.some((line) => line.startsWith("GET /things/{id},5,0,5,")));
  });

  it("finds errors by route and text, and shows one over time", async (t) => {
    const { app, get } = await createMeasuredApp(t);
    await app.inject({ url: "/broken" });
    const list = async (query: string) =>
      (await get<{ errors: ErrorDetail[] }>(`/data/errors?${query}`)).errors.map(({ origin }) => origin);
    assert.deepEqual(await list("origin=GET%20/broken"), ["GET /broken"]);
    assert.deepEqual(await list("text=IT%20BROKE"), ["GET /broken"]);
    assert.deepEqual(await list("origin=job%20bad"), []);
    const { errors } = await get<{ errors: ErrorDetail[] }>("/data/errors");
    const to = Date.now() + 60_000;
    const found = await get<ErrorDetail>(
      `/data/errors/${errors[0]!.fingerprint}?from=${to - 600_000}&to=${to}&points=10`,
    );
    assert.deepEqual([found.is_new, found.count, found.routes], [true, 1, ["GET /broken"]]);
    assert.equal(found.series.length, (found.to - found.from) / found.step_ms);
    assert.equal(
      found.series.reduce((sum, count) => sum + count),
      1,
    );
  });

  it("reports the disk of the data folder after the first measurement", async (t) => {
    const { app, get } = await createMeasuredApp(t);
    await app.start();
    const disk = await until(
      "the free space of the disk",
      () => get<Record<string, number>>("/data/disk"),
      ({ free_bytes }) => free_bytes !== undefined,
    );
    const { blocks, bsize } = statfsSync(app.dataDir);
    assert.ok(Math.abs(disk.total_bytes! / (blocks * bsize) - 1) < 0.02);
    assert.ok(disk.used_ratio! >= 0 && disk.used_ratio! <= 1);
    assert.equal("days_to_full" in disk, false, "nothing is foretold from a moment");
  });

  it("is fed live: a snapshot, then every second", async (t) => {
    const { app, headers } = await createMeasuredApp(t);
    const { url } = await app.start();
    const stream = await fetch(`${url}/_/_/live`, { headers });
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    const readUntil = async (pattern: RegExp) => {
      while (!pattern.test(text)) {
        const { value } = await settles(`the stream has ${pattern}`, reader.read());
        text += value ?? assert.fail("the stream ended");
      }
      return pattern.exec(text)!;
    };
    const readSecond = async () => {
      const [whole, data] = await readUntil(/event: second\ndata: (.+)\n\n/);
      text = text.slice(text.indexOf(whole!) + whole!.length);
      return JSON.parse(data!) as {
        requests: { count: number };
        system: Record<string, number>;
        verdict: { requests_per_second: number };
      };
    };
    await readUntil(/event: snapshot\ndata: .+\n\n/);
    // The sign-in may have been counted in a second that is not over. It is not among those of a later one.
    await until("a second without requests", readSecond, ({ requests }) => requests.count === 0);
    for (let index = 0; index < 7; index++) await (await fetch(`${url}/things/${index}`)).text();
    let seen = 0;
    await until("the seven requests are counted", async () => {
      const { requests, system, verdict } = await readSecond();
      seen += requests.count;
      assert.equal(typeof verdict.requests_per_second, "number");
      assert.ok(system["process.rss_bytes"]! > 1e6);
      return seen >= 7;
    });
    assert.equal(seen, 7);
    const stopping = app.stop();
    await until("the stream ends", async () => (await reader.read()).done);
    await stopping;
  });

  it("has numbers of the machine that agree with the system's own", async (t) => {
    const { app, get } = await createMeasuredApp(t);
    await app.start();
    const { seconds } = await until(
      "the first second",
      () => get<{ seconds: { system: Record<string, number> }[] }>("/data/now"),
      ({ seconds }) => seconds.length > 0,
    );
    const { system } = seconds.at(-1)!;
    const { blocks, bfree, bsize } = statfsSync(app.dataDir);
    const used = (blocks - bfree) * bsize;
    // Other programs write to the same disk meanwhile.
    const tolerance = blocks * bsize * 0.05;
    const shown = system["disk.used_bytes"]!;
    assert.ok(Math.abs(shown - used) < tolerance, `${shown} of ${used}`);
  });
});

describe("a scraper", () => {
  it("gets the metrics with its token, or as a superuser, in the format it asks for", async (t) => {
    const { app, headers } = await createMeasuredApp(t);
    await app.inject({ url: "/things/1" });
    const scrape = (given: Record<string, string>) => app.inject({ url: "/_/_/metrics", headers: given });
    const own = await scrape({ authorization: `Bearer ${scrapeToken}` });
    assert.equal(own.status, 200);
    assert.match(String(own.headers["content-type"]), /^text\/plain; version=0\.0\.4/);
    assert.match(
      own.body,
      /^annex_http_requests_total\{method="GET",route="\/things\/\{id\}",status="2xx"\} 1$/m,
    );
    const open = await scrape({ ...headers, accept: "application/openmetrics-text; version=1.0.0" });
    assert.match(String(open.headers["content-type"]), /^application\/openmetrics-text/);
    assert.ok(open.body.endsWith("# EOF\n"));
    assert.equal((await scrape({ authorization: `Bearer ${scrapeToken}x` })).status, 401);
    assert.equal((await scrape({ authorization: "Bearer undefined" })).status, 401);
  });

  it("needs a superuser where there is no token", async (t) => {
    const { app } = await createMeasuredApp(t, { metrics: {} });
    const response = await app.inject({
      url: "/_/_/metrics",
      headers: { authorization: "Bearer undefined" },
    });
    assert.equal(response.status, 401);
  });
});

describe("readiness", () => {
  it("is reported while the database responds", async (t) => {
    const { app } = await createMeasuredApp(t);
    const ready = await app.inject({ url: "/api/health/ready" });
    assert.deepEqual([ready.status, ready.json()], [200, { status: "ready", checks: { store: "ok" } }]);
  });

  it("is denied when a write would not last, and the health status says why", async (t) => {
    const { app, get } = await createMeasuredApp(t, { health: { readyNeeds: "everything" } });
    await app.inject({ url: "/things/1" });
    const file = join(app.dataDir, "annex.db");
    renameSync(file, `${file}.away`);
    const response = await app.inject({ url: "/api/health/ready" });
    const message =
      "The database file was removed while the server was running. Restore it from a backup, then restart the server.";
    assert.equal(response.status, 503);
    assert.deepEqual(response.json(), {
      status: "unavailable",
      checks: { store: "failing" },
      reason: "file_removed",
      message,
    });
    const health = await app.inject({ url: "/api/health" });
    assert.equal(health.status, 200, "the process itself is well");
    assert.equal(health.json<{ status: string }>().status, "degraded");
    const { verdict } = await get<{ verdict: { status: string; reasons: { message: string }[] } }>(
      "/data/now",
    );
    assert.equal(verdict.status, "failing");
    assert.ok(
      verdict.reasons.some((reason) => reason.message === `The database cannot be written. ${message}`),
    );
  });
});

describe("the history of a program", () => {
  it("is the same after a restart", async (t) => {
    const dataDir = createFolder(t);
    const first = await createMeasuredApp(t, { dataDir });
    const { url } = await first.app.start();
    for (let index = 0; index < 30; index++) await (await fetch(`${url}/things/${index}`)).text();
    await first.app.stop();
    const to = Date.now() + 1_000;
    const window = `from=${to - 600_000}&to=${to}`;
    const read = async () => {
      const { app, get } = await createMeasuredApp(t, { dataDir });
      const responses = [
        things(await get<RouteTable>(`/data/routes?${window}`)),
        (await get<RequestSeries>(`/data/requests?${window}&route=GET%20/things/{id}`)).totals,
      ];
      await app.stop();
      return responses;
    };
    const before = await read();
    assert.equal(before[0]!.count, 30);
    assert.deepEqual(await read(), before);
  });

  it("adds up over three instances on one database", async (t) => {
    const { url: database, drop } = await createTestDatabase();
    t.after(drop);
    const open = (instance: string) => createMeasuredApp(t, { database, instance });
    const apps = [await open("one"), await open("two"), await open("three")];
    for (const [number, { app, get }] of apps.entries()) {
      for (let index = 0; index <= number * 10; index++) await app.inject({ url: `/things/${index}` });
      await get("/data/routes");
    }
    const { get } = apps[0]!;
    assert.equal(things(await get<RouteTable>("/data/routes")).count, 1 + 11 + 21);
    assert.equal(things(await get<RouteTable>("/data/routes?instance=two")).count, 11);
    const { instances } = await get<{ instances: { instance: string }[] }>("/data/instances");
    assert.deepEqual(instances.map(({ instance }) => instance).sort(), ["one", "three", "two"]);
    for (const { app } of apps) await app.stop();
  });

  it("loses a few seconds at most when the program is killed", async (t) => {
    const env = { SVC_DATA_DIR: createFolder(t), SVC_METRICS_TOKEN: scrapeToken };
    const program = `
      const app = annex.createApp({ port: 0 });
      app.onServe(({ router }) => router.get("/things/{id}", (e) => e.json(200, {})));
      const { url } = await app.start();
      await app.superusers.create(${JSON.stringify(ada.identity)}, ${JSON.stringify(ada.password)});
      const body = ${JSON.stringify(ada)};
      const login = await app.inject({ method: "POST", url: "/api/collections/_superusers/auth-with-password", body });
      // A response means that the thread that writes the history has started.
      await app.inject({ url: "/_/_/data/routes", headers: { authorization: "Bearer " + login.json().token } });
      process.stderr.write("up at " + url + "\\n");
    `;
    const victim = startSource(t, program, { env });
    const [, url] = await victim.says(/up at (http:\S+)/);
    const sent: number[] = [];
    // Seconds are written every five. A busy machine delays that by as much as it delays requests.
    let longestPause = 0;
    const oldAt = (now: number) => sent.filter((at) => at < now - 6_500 - 2 * longestPause).length;
    await until(
      "some requests are old enough to be kept",
      async () => {
        const before = Date.now();
        await (await fetch(`${url}/things/${sent.length}`)).text();
        sent.push(Date.now());
        longestPause = Math.max(longestPause, Date.now() - (sent.at(-2) ?? before));
        return oldAt(Date.now());
      },
      (old) => old > 50,
    );
    const killedAt = Date.now();
    victim.child.kill("SIGKILL");
    await victim.ended;
    const app = createTestApp(t, { dataDir: env.SVC_DATA_DIR });
    addRoutes(app);
    const headers = await signIn(app);
    const response = await app.inject({ url: "/_/_/data/routes", headers });
    const { count } = things(response.json<RouteTable>()) ?? { count: 0 };
    const old = oldAt(killedAt);
    assert.ok(count >= old, `${count} kept of ${old} that were old enough, and of ${sent.length} in all`);
    assert.ok(count <= sent.length);
  });
});
