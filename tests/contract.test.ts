import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import {
  type App,
  type AppOptions,
  createApp,
  errorWithContext,
  infoWithContext,
  logLevels,
  type RequestEvent,
  type Router,
  requireAuth,
  requireSuperuserAuth,
  setupLogging,
  setupRecovery,
} from "../src/index.ts";
import { createFolder } from "./support/program.ts";

/** The tables of the contract, row by row, through the public names. Each feature's own tests go deeper. */
function createTestApp(
  t: TestContext,
  register: (router: Router, app: App) => void = () => {},
  options: AppOptions = {},
) {
  const dataDir = createFolder(t);
  const logFile = join(dataDir, "app.log");
  const app = createApp({ port: 0, dataDir, signals: false, log: { destination: logFile }, ...options });
  app.onServe(({ router }) => register(router, app));
  t.after(() => app.stop());
  const readLog = async (): Promise<Record<string, unknown>[]> => {
    await app.stop();
    const lines = readFileSync(logFile, "utf8").trimEnd().split("\n");
    return lines.map((line) => JSON.parse(line));
  };
  return { app, readLog };
}

async function signIn(app: App): Promise<string> {
  await app.superusers.create("root@example.com", "correct horse");
  const response = await app.inject({
    method: "POST",
    url: "/api/collections/_superusers/auth-with-password",
    body: { identity: "root@example.com", password: "correct horse" },
  });
  return response.json<{ token: string }>().token;
}

const stamp = (name: string, value: string) => (e: RequestEvent) => {
  e.setHeader(name, value);
  return e.next();
};

const respondEmpty = (e: RequestEvent) => e.noContent();

describe("Health record", () => {
  it("status, uptime_seconds, total_requests, active_connections", async (t) => {
    const { app } = createTestApp(t);
    const record = (await app.inject({ url: "/api/health" })).json<Record<string, unknown>>();
    assert.deepEqual(Object.keys(record), [
      "status",
      "uptime_seconds",
      "total_requests",
      "active_connections",
    ]);
    assert.equal(record.status, "healthy");
    for (const name of ["uptime_seconds", "total_requests", "active_connections"])
      assert.ok(Number.isInteger(record[name]), name);
  });
});

describe("Log records", () => {
  const severities = { debug: "DEBUG", info: "INFO", warn: "WARN", error: "ERROR" } as const;
  const names = Object.keys(severities) as (keyof typeof severities)[];
  for (const [index, level] of names.entries()) {
    for (const given of [level, logLevels[level]]) {
      it(`the level ${given} allows itself and more severe levels`, async (t) => {
        const { app, readLog } = createTestApp(t, undefined, { logLevel: given });
        assert.equal(app.logger.level, level);
        for (const name of names) app.logger[name](name);
        const expected = names.slice(index).map((name) => [severities[name], name]);
        assert.deepEqual(
          (await readLog()).map((record) => [record.level, record.msg]),
          expected,
        );
      });
    }
  }

  it("the levels have the values -4, 0, 4 and 8", () => {
    assert.deepEqual(logLevels, { debug: -4, info: 0, warn: 4, error: 8 });
  });

  it("a logger takes the value of a level, and refuses other values", (t) => {
    const { app } = createTestApp(t);
    app.logger.level = 8;
    assert.equal(app.logger.level, "error");
    assert.throws(() => {
      app.logger.level = 2 as never;
    }, /Invalid log level "2"\. It must be one of debug, info, warn, error, or -4, 0, 4, 8\./);
  });

  it("app_startup, http_request, app_shutdown: when, at which level, with which fields", async (t) => {
    const { app, readLog } = createTestApp(t, (router) => router.post("/x", respondEmpty));
    const { url } = await app.start();
    await fetch(`${url}/x?secret=1`, { method: "POST", body: "12345", headers: { "user-agent": "tester" } });
    // System jobs add records of their runs if a minute begins meanwhile.
    const records = (await readLog()).filter(({ job_id }) => job_id === undefined);
    const [start, request, stop] = records as [
      Record<string, unknown>,
      Record<string, unknown>,
      Record<string, unknown>,
    ];
    const fields = (record: object) => Object.keys(record).sort().join();
    assert.equal(fields(start), "event,level,msg,pid,start_time,time");
    assert.deepEqual([start.event, start.level, start.pid], ["app_startup", "INFO", process.pid]);
    assert.equal(
      fields(request),
      "content_length,duration,event,group,ip,level,method,msg,path,request_rate,status,time,trace_id,user_agent",
    );
    const { time, trace_id, duration, request_rate, ...rest } = request;
    assert.deepEqual(rest, {
      level: "DEBUG",
      msg: "Request processed",
      event: "http_request",
      group: "request",
      method: "POST",
      path: "/x",
      status: "204 No Content",
      ip: "127.0.0.1",
      user_agent: "tester",
      content_length: 5,
    });
    assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.match(String(trace_id), /^[A-Za-z0-9]{18}$/);
    assert.match(String(duration), /^\d+(\.\d{1,2})?(µs|ms|s)$/);
    assert.equal(typeof request_rate, "number");
    assert.equal(fields(stop), "avg_request_time_ms,event,is_restart,level,msg,time,total_requests,uptime");
    assert.deepEqual(
      [stop.event, stop.level, stop.is_restart, stop.total_requests],
      ["app_shutdown", "INFO", false, 1],
    );
    assert.deepEqual([typeof stop.uptime, typeof stop.avg_request_time_ms], ["string", "number"]);
  });
});

describe("Reserved path prefixes", () => {
  for (const path of ["/_/_", "/_/_/feed", "/api/cron/jobs", "/api/docs/v1"]) {
    it(`a route of the application at ${path} is refused`, async (t) => {
      const { app } = createTestApp(t, (router) => router.get(path, respondEmpty));
      await assert.rejects(app.start(), {
        name: "RouteError",
        message: new RegExp(`GET ${path} cannot be registered`),
      });
    });
  }

  it("a safe prefix is such as /api/v1", async (t) => {
    const { app } = createTestApp(t, (router) => router.setPrefix("/api/v1").get("/x", respondEmpty));
    assert.equal((await app.inject({ url: "/api/v1/x" })).status, 204);
  });
});

describe("Route registration operations", () => {
  for (const method of ["get", "post", "put", "patch", "delete"] as const) {
    it(`${method} registers a route and returns a chain that takes middleware`, async (t) => {
      const { app } = createTestApp(t, (router) => {
        const chain = router[method]("/x", respondEmpty);
        chain.bind(stamp("x-one", "1"), { func: stamp("x-two", "2") });
        chain.bindFunc(stamp("x-three", "3"));
      });
      const { status, headers } = await app.inject({ method: method.toUpperCase(), url: "/x" });
      assert.deepEqual(
        [status, headers["x-one"], headers["x-two"], headers["x-three"]],
        [204, "1", "2", "3"],
      );
    });
  }

  it("setPrefix returns a router that prepends the prefix to every path", async (t) => {
    const { app } = createTestApp(t, (router) =>
      router.setPrefix("/a").setPrefix("/b").get("/c", respondEmpty),
    );
    assert.equal((await app.inject({ url: "/a/b/c" })).status, 204);
  });

  const rows = [
    { method: "GET", path: "/things", handler: "list", guarded: false },
    { method: "POST", path: "/things", handler: "create", guarded: true },
    { method: "GET", path: "/things/7", handler: "get", guarded: false },
    { method: "PUT", path: "/things/7", handler: "update", guarded: true },
    { method: "PATCH", path: "/things/7", handler: "patch", guarded: true },
    { method: "DELETE", path: "/things/7", handler: "delete", guarded: true },
  ] as const;
  for (const { method, path, handler, guarded } of rows) {
    it(`crud: ${method} ${path} is ${handler}, middleware ${guarded ? "as given" : "none"}, and absent without it`, async (t) => {
      const guard = (name: string) => (e: RequestEvent) => {
        e.set("guards", [...(e.get<string[]>("guards") ?? []), name]);
        return e.next();
      };
      const respond = (e: RequestEvent) => e.json(200, { handler, guards: e.get("guards") ?? [] });
      const { app } = createTestApp(t, (router) => {
        router.crud("things", { [handler]: respond }, guard("one"), { func: guard("two") });
        router.crud("others", {});
      });
      assert.deepEqual((await app.inject({ method, url: path })).json(), {
        handler,
        guards: guarded ? ["one", "two"] : [],
      });
      for (const other of rows.filter((row) => row.handler !== handler)) {
        assert.ok((await app.inject({ method: other.method, url: other.path })).status >= 404, other.handler);
      }
      assert.equal((await app.inject({ method, url: path.replace("things", "others") })).status, 404);
    });
  }
});

describe("Logging operations", () => {
  it("setupLogging, setupRecovery, infoWithContext, errorWithContext", async (t) => {
    const { app, readLog } = createTestApp(t, (router) => {
      router.get("/x", (e) => {
        infoWithContext(e, app, "seen", { a: 1 });
        errorWithContext(null, app, "broken", new Error("why"), { b: 2 });
        return e.noContent();
      });
    });
    setupLogging(app);
    app.onServe((e) => setupRecovery(app, e));
    const { headers } = await app.inject({ url: "/x" });
    const [seen, broken] = (await readLog()) as [Record<string, unknown>, Record<string, unknown>];
    assert.partialDeepStrictEqual(seen, {
      level: "INFO",
      msg: "seen",
      a: 1,
      trace_id: headers["x-trace-id"],
      pid: process.pid,
    });
    assert.equal(typeof seen.start_time, "string");
    assert.partialDeepStrictEqual(broken, {
      level: "ERROR",
      msg: "broken",
      b: 2,
      error: { name: "Error", message: "why" },
    });
  });
});

describe("Request middleware behaviour", () => {
  it("1: a random trace ID of 18 characters, on the request and on the response", async (t) => {
    const { app } = createTestApp(t, (router) => {
      router.get("/x", (e) =>
        e.json(200, [e.traceId, e.header("X-Trace-ID"), e.request.headers["x-trace-id"]]),
      );
    });
    const first = await app.inject({ url: "/x", headers: { "x-trace-id": "mine" } });
    const second = await app.inject({ url: "/x" });
    const trace = first.headers["x-trace-id"];
    assert.match(String(trace), /^[A-Za-z0-9]{18}$/);
    assert.deepEqual(first.json(), [trace, trace, trace]);
    assert.notEqual(trace, second.headers["x-trace-id"]);
  });

  it("3: what browsers ask for on their own is excluded from logs and metrics, and still served", async (t) => {
    const { app, readLog } = createTestApp(t, (router) => router.get("/{rest...}", respondEmpty));
    const excluded = [
      "/service-worker.js",
      "/favicon.ico",
      "/manifest.json",
      "/robots.txt",
      "/a/b.map",
      "/a/b.ico",
      "/site.webmanifest",
    ];
    for (const url of [...excluded, "/counted.js"]) {
      const response = await app.inject({ url });
      assert.deepEqual([response.status, String(response.headers["x-trace-id"]).length], [204, 18]);
    }
    const health = (await app.inject({ url: "/api/health" })).json<{ total_requests: number }>();
    assert.equal(health.total_requests, 1);
    assert.deepEqual(
      (await readLog()).map(({ path }) => path),
      ["/counted.js", "/api/health"],
    );
  });
});

describe("Authentication", () => {
  it("401 without a valid token, 403 for other users, and the accepted forms of a token", async (t) => {
    const { app } = createTestApp(t, (router) => {
      router.get("/super", (e) => e.json(200, { id: e.auth!.id })).bind(requireSuperuserAuth());
      router.get("/any", (e) => e.json(200, { id: e.auth!.id })).bind(requireAuth());
    });
    app.authenticate((e) => (e.header("x-user") === undefined ? null : { id: e.header("x-user")! }));
    const token = await signIn(app);
    const status = async (url: string, headers: Record<string, string> = {}) =>
      (await app.inject({ url, headers })).status;
    assert.deepEqual([await status("/super"), await status("/any")], [401, 401]);
    assert.deepEqual(
      [await status("/super", { "x-user": "ada" }), await status("/any", { "x-user": "ada" })],
      [403, 200],
    );
    for (const authorization of [`Bearer ${token}`, `bearer ${token}`, token]) {
      assert.deepEqual(
        [await status("/super", { authorization }), await status("/any", { authorization })],
        [200, 200],
      );
    }
    assert.equal(await status("/super", { authorization: "Bearer nonsense" }), 401);
  });

  it("the superuser account is created at /_/, with the link that the start gives", async (t) => {
    const { app } = createTestApp(t);
    const { url, setupUrl } = await app.start();
    assert.ok(setupUrl!.startsWith(`${url}/_/`));
    assert.match(
      await (await fetch(setupUrl!)).text(),
      /<form[\s\S]*Create the first superuser|Create the first superuser[\s\S]*<form/,
    );
    assert.doesNotMatch(await (await fetch(`${url}/_/`)).text(), /<form/);
  });
});

describe("Errors", () => {
  it("one shape, with the trace ID, and nothing of the cause", async (t) => {
    const register = (router: Router) => {
      router.get("/bug", () => {
        throw new Error("internal secret");
      });
      router.get("/refused", (e) => {
        throw e.error(422, "Not like this", { name: { code: "taken", message: "Choose another" } });
      });
    };
    // In development, the developer sees the cause: see error-debug.test.ts.
    const { app } = createTestApp(t, register, { dev: false });
    const bug = await app.inject({ url: "/bug" });
    assert.deepEqual(Object.keys(bug.json<object>()), ["status", "message", "data", "trace_id"]);
    assert.equal(bug.json<{ trace_id: string }>().trace_id, bug.headers["x-trace-id"]);
    assert.ok(!bug.body.includes("secret"));
    const refused = (await app.inject({ url: "/refused" })).json<object>();
    assert.partialDeepStrictEqual(refused, {
      status: 422,
      message: "Not like this",
      data: { name: { code: "taken", message: "Choose another" } },
    });
    const page = await app.inject({ url: "/nothing", headers: { accept: "text/html,*/*" } });
    assert.match(String(page.headers["content-type"]), /^text\/html/);
  });
});
