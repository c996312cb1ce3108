import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { createTestApp } from "../src/app/testing/test-app.ts";
import type { App, AppOptions } from "../src/index.ts";
import { createTestDatabase } from "./support/postgres.ts";

const ada = { identity: "ada@example.com", password: "correct horse" };

interface Row {
  readonly kind: string;
  readonly account: string | null;
  readonly address: string | null;
  readonly agent: string | null;
  readonly trace_id: string | null;
  readonly detail: string | null;
  readonly instance: string;
  readonly count: number;
}

async function createServer(t: TestContext, options: AppOptions = {}) {
  const app = createTestApp(t, { trustedProxies: ["127.0.0.1"], ...options });
  app.onServe(({ router }) => {
    router.get("/own", (e) => e.json(401, {}));
  });
  if ((await app.superusers.list()).length === 0) await app.superusers.create(ada.identity, ada.password);
  const url = "/api/collections/_superusers/auth-with-password";
  const { token } = (await app.inject({ method: "POST", url, body: ada })).json<{ token: string }>();
  const headers = { authorization: `Bearer ${token}` };
  const send = (method: string, url: string, body?: object) =>
    app.inject({ method, url, headers, ...(body && { body }) });
  const refused = async () =>
    (await send("GET", "/_/_/data/access?kind=access-refused")).json<{ events: Row[] }>().events;
  return { app, send, refused };
}

/** A request without credentials. */
function knock(app: App, url: string, address = "203.0.113.7") {
  return app.inject({ url, headers: { "user-agent": "scanner/1.0", "x-forwarded-for": address } });
}

describe("the access log of an application", () => {
  it("has every refused request to an administrative route, and no other", async (t) => {
    const { app, refused } = await createServer(t, { instance: "web-1" });
    const first = await knock(app, "/_/_/data/logs");
    for (const url of [
      "/_/_/metrics",
      "/api/docs/versions",
      "/api/cron/jobs",
      "/api/collections/_superusers/records",
      "/_/_/live",
    ])
      assert.equal((await knock(app, url)).status, 401, url);
    for (const url of ["/own", "/_/_", "/_/", "/api/health"]) await knock(app, url, "203.0.113.8");
    const [row, ...others] = await refused();
    assert.deepEqual(others, []);
    const { address, agent, trace_id, instance, count } = row!;
    assert.deepEqual(
      { address, agent, trace_id, instance, count },
      {
        address: "203.0.113.7",
        agent: "scanner/1.0",
        trace_id: first.headers["x-trace-id"],
        instance: "web-1",
        count: 6,
      },
    );
    assert.match(row!.detail!, /^GET \/_\/_\/data\/logs \(401\), GET \/_\/_\/metrics \(401\), /);
  });

  it("does not have the 403 of a superuser, who was not refused access", async (t) => {
    const { send, refused } = await createServer(t);
    assert.equal((await send("DELETE", "/api/cron/jobs/__svcLogClean__")).status, 403);
    assert.deepEqual(await refused(), []);
  });

  it("is counted for Prometheus, with every kind from the start", async (t) => {
    const { app, send } = await createServer(t);
    await knock(app, "/_/_/data/logs");
    await knock(app, "/_/_/data/logs");
    const { body } = await send("GET", "/_/_/metrics");
    const counters = [...body.matchAll(/^annex_access_events_total\{kind="([\w-]+)"\} (\d+)$/gm)];
    assert.equal(counters.length, 10);
    assert.equal(counters.find(([, kind]) => kind === "access-refused")![2], "2");
  });

  it("is logged as a warning with the trace ID, once for all that is alike", async (t) => {
    const { app } = await createServer(t);
    const { headers } = await knock(app, "/_/_/data/logs");
    for (let count = 0; count < 20; count++) await knock(app, "/_/_/data/logs");
    const { dataDir } = app as App & { dataDir: string };
    await app.stop();
    const lines = readFileSync(join(dataDir, "app.log"), "utf8").trimEnd().split("\n");
    const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const found = records.filter(({ event, kind }) => event === "access" && kind === "access-refused");
    assert.deepEqual(
      found.map(({ level, msg, count }) => [level, msg, count]),
      [
        ["WARN", "Access refused", undefined],
        ["WARN", "Access refused repeatedly", 21],
      ],
    );
    const { trace_id, address, detail } = found[0]!;
    assert.deepEqual(
      [trace_id, address, detail],
      [headers["x-trace-id"], "203.0.113.7", "GET /_/_/data/logs (401)"],
    );
  });

  it("survives a restart", async (t) => {
    const { app } = await createServer(t);
    const { dataDir } = app as App & { dataDir: string };
    await knock(app, "/_/_/data/logs");
    await app.stop();
    const { refused } = await createServer(t, { dataDir });
    assert.equal((await refused()).length, 1);
  });

  it("is stored as long as the option says, which can be changed at run time", async (t) => {
    const { send } = await createServer(t, { access: { retentionDays: 30 } });
    const days = async () =>
      (await send("GET", "/_/_/data/access/summary")).json<{ retention_days: number }>().retention_days;
    assert.equal(await days(), 30);
    await send("PUT", "/_/_/data/config/access.retentionDays", { value: 7 });
    assert.equal(await days(), 7);
    assert.throws(() => createTestApp(t, { access: { retentionDays: 0 } }), /access\.retentionDays/);
  });

  it("is one for all instances that share a database", async (t) => {
    const { url, drop } = await createTestDatabase();
    const one = await createServer(t, { database: url, instance: "web-1" });
    const two = await createServer(t, { database: url, instance: "web-2" });
    t.after(() => drop());
    await knock(one.app, "/_/_/data/logs");
    await knock(two.app, "/_/_/data/logs");
    // Reading stores what this instance has recorded, so after both have been read the table has everything.
    await one.refused();
    const instances = async ({ refused }: typeof one) =>
      (await refused()).map(({ instance }) => instance).sort();
    assert.deepEqual(await instances(two), ["web-1", "web-2"]);
    assert.deepEqual(await instances(one), ["web-1", "web-2"]);
  });
});
