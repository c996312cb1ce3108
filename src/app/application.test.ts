import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createTestDatabase } from "../../tests/support/postgres.ts";
import type { HealthRecord } from "../features/metrics/health/health.ts";
import { until } from "../lib/testing/until.ts";
import { createTemporaryFolder, createTestApp } from "./testing/test-app.ts";

function readLog(dataDir: string): Record<string, unknown>[] {
  const lines = readFileSync(join(dataDir, "app.log"), "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line));
}

describe("an application", () => {
  it("starts, serves its routes, and stops", async (t) => {
    const app = createTestApp(t);
    app.onServe(({ router }) =>
      router.get("/hello/{name}", (e) => e.json(200, { hello: e.pathValue("name") })),
    );
    const { url, port, setupUrl } = await app.start();
    assert.equal(url, `http://127.0.0.1:${port}`);
    assert.ok(setupUrl?.startsWith(`${url}/_/?setup=`));
    const response = await fetch(`${url}/hello/you`);
    assert.deepEqual(await response.json(), { hello: "you" });
    await app.stop();
    await assert.rejects(fetch(url));
    const events = readLog(app.dataDir).map(({ event }) => event);
    assert.deepEqual(events, ["app_startup", "http_request", "app_shutdown"]);
  });

  it("starts if the link for the first superuser cannot be stored", async (t) => {
    const app = createTestApp(t);
    app.onServe(async () => {
      await (await app.database()).tables().schema.dropTable("annex_setup_links").execute();
    });
    const { url, setupUrl } = await app.start();
    assert.equal(setupUrl, undefined);
    assert.equal((await fetch(`${url}/api/health`)).status, 200);
    await app.stop();
    const errors = readLog(app.dataDir).filter(({ level }) => level === "ERROR");
    assert.deepEqual(
      errors.map(({ msg }) => msg),
      ["Failed to create the link for the first superuser"],
    );
  });

  it("handles injected requests without a start, and logs no start or stop", async (t) => {
    const app = createTestApp(t);
    app.onServe(({ router }) => router.get("/", (e) => e.text(200, "hi")));
    assert.equal((await app.inject({ url: "/" })).body, "hi");
    await app.stop();
    assert.deepEqual(
      readLog(app.dataDir).map(({ event }) => event),
      ["http_request"],
    );
  });

  it("warns once about forwarded headers from a peer that is not a trusted proxy", async (t) => {
    const app = createTestApp(t);
    app.onServe(({ router }) => router.get("/", (e) => e.text(200, e.ip)));
    const request = { url: "/", headers: { "x-forwarded-for": "1.2.3.4" }, remoteAddress: "10.1.2.3" };
    assert.equal((await app.inject(request)).body, "10.1.2.3");
    assert.equal((await app.inject(request)).body, "10.1.2.3");
    await app.stop();
    const warnings = readLog(app.dataDir).filter(({ level }) => level === "WARN");
    assert.deepEqual(
      warnings.map(({ msg, peer, header }) => ({ msg, peer, header })),
      [
        {
          msg: 'Ignored X-Forwarded-For from 10.1.2.3, which is not a trusted proxy: if 10.1.2.3 is your proxy, add it to the option "trustedProxies" (SVC_TRUSTED_PROXIES)',
          peer: "10.1.2.3",
          header: "X-Forwarded-For",
        },
      ],
    );
  });

  it("runs serve hooks by priority, after its own routes are there", async (t) => {
    const app = createTestApp(t);
    const order: string[] = [];
    app.onServe(() => void order.push("second"), { priority: 10 });
    app.onServe(({ app: given, router }) => {
      order.push("first");
      assert.equal(given, app);
      assert.throws(() => router.get("/api/health", (e) => e.noContent()), /is reserved for Annex/);
    });
    await app.start();
    assert.deepEqual(order, ["first", "second"]);
    assert.throws(() => app.onServe(() => {}), /the server is ready/);
  });

  for (const path of [
    "/_",
    "/_/",
    "/_/_",
    "/_/_/x",
    "/api/cron/jobs",
    "/api/cron",
    "/api/docs/v9",
    "/api/collections/_superusers/x",
  ]) {
    it(`keeps ${path} for itself and does not start half-registered`, async (t) => {
      const app = createTestApp(t);
      app.onServe(({ router }) => router.get(path, (e) => e.noContent()));
      await assert.rejects(app.start(), {
        name: "RouteError",
        message: /cannot be registered at .*: the prefix .* is reserved for Annex/,
      });
    });
  }

  it("never runs the application's middleware on its own routes", async (t) => {
    const app = createTestApp(t);
    const seen: string[] = [];
    app.onServe(({ router }) => {
      router.bindFunc((e) => {
        seen.push(e.path);
        return e.next();
      });
      router.get("/mine", (e) => e.noContent());
      router.get("/{rest...}", (e) => e.text(200, "mine"));
    });
    for (const url of ["/mine", "/api/health", "/_/", "/api/cron/jobs", "/api/docs/versions", "/else"])
      await app.inject({ url });
    assert.deepEqual(seen, ["/mine", "/else"]);
  });

  it("can be stopped twice, before it was started, and while it starts", async (t) => {
    await createTestApp(t).stop();
    const app = createTestApp(t);
    const starting = app.start();
    await Promise.all([app.stop(), app.stop()]);
    await assert.rejects(fetch((await starting).url));
  });

  it("runs terminate hooks with the database open, and stops though one fails", async (t) => {
    const app = createTestApp(t);
    let seen: unknown;
    app.onTerminate(async ({ isRestart, app }) => {
      await (await app.database()).ping();
      seen = isRestart;
    });
    app.onTerminate(() => {
      throw new Error("will not");
    });
    await app.start();
    await app.stop({ isRestart: true });
    assert.equal(seen, true);
    const [, failure, stop] = readLog(app.dataDir);
    assert.equal(failure!.msg, "Failed to run a terminate hook");
    assert.partialDeepStrictEqual(stop, { event: "app_shutdown", is_restart: true });
  });

  it("is disposed of at the end of its block", async (t) => {
    let url: string;
    {
      await using app = createTestApp(t);
      ({ url } = await app.start());
    }
    await assert.rejects(fetch(url));
  });

  it("says which option is wrong", (t) => {
    assert.throws(() => createTestApp(t, { port: -1 }), { code: "INVALID_OPTION" });
  });

  it("refuses a port that is taken, and lets go of its folder", async (t) => {
    const first = createTestApp(t);
    const { port } = await first.start();
    const dataDir = createTemporaryFolder(t);
    await assert.rejects(createTestApp(t, { port, dataDir }).start(), {
      code: "PORT_IN_USE",
      message: new RegExp(`Port ${port}`),
    });
    await createTestApp(t, { dataDir }).start();
  });

  it("refuses a folder that another application works in", async (t) => {
    const first = createTestApp(t);
    await first.start();
    await assert.rejects(createTestApp(t, { dataDir: first.dataDir }).start(), { code: "DATA_DIR_IN_USE" });
    await first.stop();
    await createTestApp(t, { dataDir: first.dataDir }).start();
  });

  it("manages superusers before and after its start, and then prints no link", async (t) => {
    const app = createTestApp(t);
    await app.superusers.create("one@example.com", "correct horse");
    assert.equal((await app.start()).setupUrl, undefined);
    await app.superusers.create("two@example.com", "correct horse");
    assert.deepEqual(
      (await app.superusers.list()).map(({ email }) => email),
      ["one@example.com", "two@example.com"],
    );
  });

  it("refuses weak passwords in production, and warns about them in development without naming them", async (t) => {
    const production = createTestApp(t, { dev: false });
    await assert.rejects(production.superusers.create("ada@example.com", "Password1"), /too common/);
    const app = createTestApp(t, { dev: true });
    await app.start();
    await app.superusers.create("ada@example.com", "Password1");
    await app.stop();
    const records = readLog(app.dataDir);
    const warnings = records.filter(({ msg }) => msg === "Accepted a weak password");
    assert.equal(warnings.length, 1);
    const { level, email, reason } = warnings[0]!;
    assert.deepEqual([level, email, reason], ["WARN", "ada@example.com", "too_common"]);
    assert.doesNotMatch(JSON.stringify(records), /Password1/);
  });

  it("limits superusers to the allowed addresses, while app.superusers works regardless", async (t) => {
    const app = createTestApp(t, { auth: { allowedAddresses: ["203.0.113.0/24"] } });
    await app.superusers.create("ada@example.com", "difference engine");
    const request = {
      method: "POST",
      url: "/api/collections/_superusers/auth-with-password",
      body: { identity: "ada@example.com", password: "difference engine" },
    };
    assert.equal((await app.inject({ ...request, remoteAddress: "203.0.113.7" })).status, 200);
    assert.equal((await app.inject({ ...request, remoteAddress: "127.0.0.1" })).status, 403);
  });

  it("gives handlers itself, the application's identities and its own tables", async (t) => {
    const app = createTestApp(t, {
      migrations: {
        "001-notes": {
          up: (db, types) => db.schema.createTable("notes").addColumn("text", types.text).execute(),
        },
      },
    });
    app.authenticate((e) =>
      e.header("x-user") === undefined ? null : { id: e.header("x-user")!, role: "guest" },
    );
    app.onServe(({ router }) => {
      router.post("/notes", async (e) => {
        const tables = (await e.app.database()).tables<{ notes: { text: string } }>();
        await tables
          .insertInto("notes")
          .values({ text: await e.readText() })
          .execute();
        return e.json(200, { by: e.auth, notes: await tables.selectFrom("notes").selectAll().execute() });
      });
    });
    const response = await app.inject({
      method: "POST",
      url: "/notes",
      body: "hi",
      headers: { "x-user": "ada" },
    });
    assert.deepEqual(response.json(), { by: { id: "ada", role: "guest" }, notes: [{ text: "hi" }] });
  });

  it("reports a failed migration without the values of the database", async (t) => {
    const up = () => Promise.reject(new Error("Duplicate entry 'canary' for key 'users.email'"));
    const app = createTestApp(t, { migrations: { "001-users": { up } } });
    await assert.rejects(app.inject({ url: "/" }), (error: Error) => {
      assert.match(error.message, /001-users.*Duplicate entry \[redacted\] for key 'users\.email'/);
      return true;
    });
  });

  it("keeps its log records where they can be searched", async (t) => {
    const app = createTestApp(t);
    app.onServe(({ router }) => {
      router.get("/", (e) => {
        e.app.logger.warn("Careful", { depth: 3 });
        return e.noContent();
      });
    });
    const response = await app.inject({ url: "/" });
    const { items } = await app.logs.search({ traceId: String(response.headers["x-trace-id"]) });
    assert.deepEqual(
      items.map(({ msg }) => msg),
      ["Request processed", "Careful"],
    );
    assert.equal((await app.logs.search({ level: "warn", text: "care" })).items[0]!.depth, 3);
  });

  it("works on PostgreSQL, with several instances", async (t) => {
    const { url, drop } = await createTestDatabase();
    t.after(drop);
    const dataDir = createTemporaryFolder(t);
    const instances = Array.from({ length: 5 }, (_, index) =>
      createTestApp(t, { database: url, dataDir, log: { destination: join(dataDir, `app${index}.log`) } }),
    );
    await Promise.all(instances.map((app) => app.start()));
    await instances[0]!.superusers.create("one@example.com", "correct horse");
    assert.equal((await instances[4]!.superusers.list()).length, 1);
    await Promise.all(instances.map((app) => app.stop()));
  });
});

describe("the health endpoint", () => {
  it("returns the health record without authentication, for HEAD too", async (t) => {
    const app = createTestApp(t);
    const { url } = await app.start();
    await fetch(url);
    const response = await fetch(`${url}/api/health`);
    const record = (await response.json()) as HealthRecord;
    assert.equal(response.status, 200);
    const { status, total_requests, uptime_seconds, active_connections } = record;
    assert.deepEqual({ status, total_requests }, { status: "healthy", total_requests: 1 });
    assert.equal(Object.keys(record).length, 4);
    // On a busy machine, a start can take longer than a second.
    assert.ok(Number.isInteger(uptime_seconds) && uptime_seconds >= 0, `${uptime_seconds}`);
    assert.ok(active_connections >= 1);
    assert.equal((await fetch(`${url}/api/health`, { method: "HEAD" })).status, 200);
  });

  it("does not count what is excluded", async (t) => {
    const app = createTestApp(t);
    for (const url of ["/favicon.ico", "/robots.txt", "/app.js.map", "/counted"]) await app.inject({ url });
    assert.equal((await app.inject({ url: "/api/health" })).json<HealthRecord>().total_requests, 1);
  });

  it("says draining, with 503, from the moment a stop begins until the last request has ended", async (t) => {
    const app = createTestApp(t, { shutdown: { drainMs: 60_000 } });
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { url } = await app.start();
    const stopping = app.stop();
    // The stop waits for the load balancer; two turns of the loop bring it there.
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    const response = await fetch(`${url}/api/health`);
    assert.equal(response.status, 503);
    assert.equal(((await response.json()) as HealthRecord).status, "draining");
    assert.equal(response.headers.get("connection"), "close");
    t.mock.timers.tick(60_000);
    t.mock.timers.reset();
    await stopping;
  });
});

/** Resolves when nothing listens there any more. */
async function refused(port: number): Promise<void> {
  const codeOf = async () => {
    const socket = connect(port, "127.0.0.1");
    const [error] = await once(socket, "error");
    return (error as NodeJS.ErrnoException).code;
  };
  await until("the connection is refused", codeOf, (code) => code === "ECONNREFUSED");
}

describe("stopping", () => {
  it("lets a request in flight end, accepts no new one, and loses no record of it", async (t) => {
    const app = createTestApp(t);
    const { promise: mayRespond, resolve: respondNow } = Promise.withResolvers<void>();
    const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
    app.onServe(({ router }) => {
      router.get("/slow", async (e) => {
        enter();
        await mayRespond;
        return e.text(200, "done");
      });
    });
    const { url, port } = await app.start();
    const response = fetch(`${url}/slow`);
    await entered;
    const stopping = app.stop();
    await refused(port);
    respondNow();
    assert.equal(await (await response).text(), "done");
    await stopping;
    assert.deepEqual(
      readLog(app.dataDir)
        .map(({ path }) => path)
        .filter(Boolean),
      ["/slow"],
    );
  });

  it("cuts what does not end within the grace period", async (t) => {
    const app = createTestApp(t, { shutdown: { graceMs: 20 } });
    const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
    app.onServe(({ router }) => {
      router.get("/never", () => {
        enter();
        return new Promise(() => {});
      });
    });
    const { port } = await app.start();
    const outgoing = request({ port, path: "/never" });
    outgoing.end();
    const failed = once(outgoing, "error");
    await entered;
    await app.stop();
    assert.equal(((await failed)[0] as NodeJS.ErrnoException).code, "ECONNRESET");
  });

  it("does not wait for event streams", async (t) => {
    // Longer than the test may take.
    const app = createTestApp(t, { shutdown: { graceMs: 600_000 } });
    app.onServe(({ router }) => {
      router.get("/events", (e) => e.sse(() => {}));
    });
    const { url } = await app.start();
    const response = await fetch(`${url}/events`);
    await app.stop();
    assert.equal(await response.text(), "");
  });
});
