import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { createTestApp } from "../src/app/testing/test-app.ts";
import type { App, AppOptions } from "../src/index.ts";
import { until } from "../src/lib/testing/until.ts";
import { createTestDatabase } from "./support/postgres.ts";
import { startProgram } from "./support/program.ts";

const ada = { identity: "ada@example.com", password: "correct horse" };

interface Entry {
  name: string;
  value: unknown;
  source: string;
  variable?: string;
}

interface Setting {
  name: string;
  value: unknown;
  initial: unknown;
  changed_by: string | null;
  until: number | null;
}

interface Change {
  actor: string | null;
  instance: string;
  kind: string;
  subject: string;
  before: unknown;
  after: unknown;
  detail: string | null;
}

interface ConfigResponse {
  entries: Entry[];
  settings: Setting[];
  sessions: { count: number; tokens: number };
  storage: { engine: string; bytes: number; parts: { name: string; bytes: number }[] };
}

/** A superuser's way into an application. */
async function openAs(app: App) {
  if ((await app.superusers.list()).length === 0) await app.superusers.create(ada.identity, ada.password);
  const url = "/api/collections/_superusers/auth-with-password";
  const login = await app.inject({ method: "POST", url, body: ada });
  const headers = { authorization: `Bearer ${login.json<{ token: string }>().token}` };
  const send = (method: string, path: string, body?: unknown) =>
    app.inject({ method, url: path.startsWith("/api") ? path : `/_/_/data${path}`, headers, body });
  const config = async () => (await send("GET", "/config")).json<ConfigResponse>();
  return {
    send,
    config,
    entry: async (name: string) => (await config()).entries.find((entry) => entry.name === name)!,
    setting: async (name: string) => (await config()).settings.find((setting) => setting.name === name)!,
    changes: async () => (await send("GET", "/changes?limit=500")).json<{ changes: Change[] }>().changes,
  };
}

async function createConfiguredApp(t: TestContext, options: AppOptions = {}) {
  const app = createTestApp(t, { logLevel: "info", instance: "web-1", ...options });
  return { app, ...(await openAs(app)) };
}

describe("the configuration of an application", () => {
  it("is listed with its sources and without its secrets", async (t) => {
    const { app, config } = await createConfiguredApp(t, {
      metrics: { scrapeToken: "a-very-secret-word" },
      migrations: { "001-none": { up: async () => {} } },
    });
    const { entries, settings, sessions, storage } = await config();
    const byName = new Map(entries.map((entry) => [entry.name, entry]));
    assert.deepEqual(byName.get("dataDir"), {
      name: "dataDir",
      group: "server",
      about: "Folder for all stored data.",
      value: app.dataDir,
      source: "code",
      variable: "SVC_DATA_DIR",
      default: byName.get("dataDir")!["default" as never],
    });
    assert.deepEqual([byName.get("port")!.value, byName.get("port")!.source], [0, "code"]);
    assert.equal(byName.get("metrics.scrapeToken")!.value, "[redacted]");
    assert.deepEqual(byName.get("migrations")!.value, ["001-none"]);
    assert.equal(JSON.stringify(entries).includes("secret"), false);
    assert.equal(entries.length > 30, true);
    assert.deepEqual(
      settings.map(({ name }) => name),
      [
        "logLevel",
        "log.sample",
        "log.slowMs",
        "log.retentionHours",
        "log.maxMegabytes",
        "cron.logRetentionHours",
        "metrics.maxMegabytes",
        "visitors.enabled",
        "visitors.honourDoNotTrack",
        "visitors.exclude",
        "access.retentionDays",
        "health.errorPercent",
        "health.routeErrorPercent",
        "health.p95Ms",
        "health.routes",
      ],
    );
    for (const { name, value } of settings) assert.deepEqual(value, byName.get(name)!.value, name);
    assert.deepEqual(sessions, { count: 0, tokens: 1 });
    assert.ok(storage.parts.some(({ name }) => name === "logs.db"));
  });

  it("changes the log level for a while, and keeps that over a restart", async (t) => {
    const first = await createConfiguredApp(t);
    assert.equal(first.app.logger.level, "info");
    const body = { value: "debug", minutes: 30 };
    const { until, ...changed } = (await first.send("PUT", "/config/logLevel", body)).json<Setting>();
    assert.ok(until! > Date.now() + 29 * 60_000);
    assert.deepEqual([changed.value, changed.initial, changed.changed_by], ["debug", "info", ada.identity]);
    assert.equal(first.app.logger.level, "debug");
    assert.equal((await first.entry("logLevel")).source, "run time");
    await first.app.stop();

    const again = await createConfiguredApp(t, { dataDir: first.app.dataDir });
    assert.equal(again.app.logger.level, "debug");
    assert.equal((await again.setting("logLevel")).until, until);
    await again.send("DELETE", "/config/logLevel");
    assert.equal(again.app.logger.level, "info");
    assert.equal((await again.entry("logLevel")).source, "code");
    again.app.logger.level = "warn";
    assert.deepEqual(
      [(await again.entry("logLevel")).value, (await again.setting("logLevel")).value],
      ["warn", "warn"],
    );
  });

  it("changes what the parts do, at once", async (t) => {
    const { app, send, config } = await createConfiguredApp(t);
    const chosen: [name: string, value: unknown][] = [
      ["log.retentionHours", 5],
      ["log.maxMegabytes", 7],
      ["cron.logRetentionHours", 1.5],
      ["metrics.maxMegabytes", 9],
      ["visitors.enabled", false],
      ["visitors.honourDoNotTrack", true],
      ["visitors.exclude", ["/private/*"]],
      ["health.errorPercent", 2.5],
      ["health.routes", ["POST /checkout errors=20% p95=2s"]],
    ];
    for (const [name, value] of chosen) {
      const response = await send("PUT", `/config/${name}`, { value });
      assert.deepEqual([response.status, response.json<Setting>().value], [200, value], name);
    }
    const { entries } = await config();
    for (const [name, value] of chosen) {
      const entry = entries.find((each) => each.name === name)!;
      assert.deepEqual([entry.value, entry.source], [value, "run time"], name);
    }
    assert.deepEqual((await send("GET", "/visitors")).json(), { enabled: false });
    const { store } = (await send("GET", "/now")).json<{ store: { max_bytes: number } }>();
    assert.equal(store.max_bytes, 9_000_000);
    const { run_id } = (await send("POST", "/api/cron/jobs/__svcLogClean__/run")).json<{ run_id: string }>();
    const run = await until(
      `run ${run_id} ends`,
      () => app.jobs.findRun(run_id),
      ({ status }) => status !== "running",
    );
    assert.match(run.output, /older than 1\.5 hours/);
    await send("DELETE", "/config/visitors.enabled");
    assert.equal((await send("GET", "/visitors")).json<{ enabled: boolean }>().enabled, true);
  });

  it("shows the timezone that was chosen, and sends those who would change it here to cron", async (t) => {
    const { send, entry } = await createConfiguredApp(t);
    assert.deepEqual(
      [(await entry("cron.timezone")).value, (await entry("cron.timezone")).source],
      ["UTC", "default"],
    );
    const refused = await send("PUT", "/config/cron.timezone", { value: "Europe/Berlin" });
    assert.equal(refused.status, 409);
    assert.match(refused.json<{ message: string }>().message, /POST \/api\/cron\/config\/timezone/);
    await send("POST", "/api/cron/config/timezone", { timezone: "Europe/Berlin" });
    const { value, source } = await entry("cron.timezone");
    assert.deepEqual([value, source], ["Europe/Berlin", "run time"]);
  });

  it("takes no values that are wrong", async (t) => {
    const { app, send } = await createConfiguredApp(t);
    const wrong: [name: string, value: unknown][] = [
      ["logLevel", "loud"],
      ["logLevel", ["debug"]],
      ["log.retentionHours", -1],
      ["log.retentionHours", null],
      ["log.maxMegabytes", "<img src=x>"],
      ["metrics.maxMegabytes", 1e300],
      ["visitors.enabled", "perhaps"],
      ["visitors.exclude", "/private"],
      ["visitors.exclude", ["private"]],
      ["visitors.exclude", [{ toString: 1 }]],
      ["health.errorPercent", 0],
      ["health.routes", ["/checkout errors=20%"]],
      ["health.routes", [7]],
    ];
    for (const [name, value] of wrong) {
      const response = await send("PUT", `/config/${name}`, { value });
      assert.equal(response.status, 400, `${name} ${JSON.stringify(value)}`);
      assert.match(response.json<{ data: { value: { message: string } } }>().data.value.message, /must be/);
    }
    for (const [name, status] of [
      ["port", 409],
      ["database", 409],
      ["nothing", 404],
      ["constructor", 404],
      ["%F0%9F%8E%89%3Cb%3E", 404],
      ["%00", 400],
    ] as const)
      assert.equal((await send("PUT", `/config/${name}`, { value: 1 })).status, status, name);
    assert.equal(app.logger.level, "info");
  });
});

describe("the record of an application", () => {
  it("lists starts and stops and changes to settings, jobs, time zones and superusers, with their actors", async (t) => {
    const { app, send } = await createConfiguredApp(t);
    app.jobs.registerJob("report", "Report", "", "0 6 * * *", () => new Promise(() => {}));
    await app.start();
    await send("PUT", "/config/logLevel", { value: "warn" });
    await send("DELETE", "/config/logLevel");
    await send("DELETE", "/config/logLevel");
    await send("POST", "/api/cron/jobs/report/pause");
    await send("POST", "/api/cron/jobs/report/pause");
    await send("POST", "/api/cron/jobs/report/resume");
    const { run_id } = (await send("POST", "/api/cron/jobs/report/run")).json<{ run_id: string }>();
    await send("POST", `/api/cron/runs/${run_id}/cancel`);
    await send("DELETE", "/api/cron/jobs/report");
    await send("POST", "/api/cron/jobs/report/restore");
    await send("POST", "/api/cron/config/timezone", { timezone: "Asia/Tokyo" });
    const records = "/api/collections/_superusers/records";
    const eve = { email: "eve@example.com", password: "battery staple" };
    const { id } = (await send("POST", records, eve)).json<{ id: string }>();
    await send("PATCH", `${records}/${id}`, { password: "staple battery" });
    await send("DELETE", `${records}/${id}`);
    await app.superusers.changePassword(ada.identity, ada.password);
    await app.stop();

    const again = await createConfiguredApp(t, { dataDir: app.dataDir, instance: "web-2" });
    const told = (await again.changes()).toReversed();
    const by = (actor: string | null, ...rest: unknown[]) => [actor, ...rest];
    const life = told.find(({ kind }) => kind === "start")!.after as Record<string, unknown>;
    assert.deepEqual(Object.keys(life), ["release", "annex", "pid"]);
    assert.match(String(life.annex), /^\d+\.\d+\.\d+/);
    assert.equal(life.pid, process.pid);
    assert.deepEqual(
      told.map(({ actor, kind, subject, before, after }) => [actor, kind, subject, before, after]),
      [
        by(null, "superuser-add", ada.identity, null, null),
        by(null, "start", "application", null, life),
        by(ada.identity, "setting", "logLevel", "info", "warn"),
        by(ada.identity, "revert", "logLevel", "warn", "info"),
        by(ada.identity, "pause", "report", null, null),
        by(ada.identity, "resume", "report", null, null),
        by(ada.identity, "run", "report", null, null),
        by(ada.identity, "cancel", "report", null, null),
        by(ada.identity, "remove", "report", null, null),
        by(ada.identity, "restore", "report", null, null),
        by(ada.identity, "timezone", "timezone", "UTC", "Asia/Tokyo"),
        by(ada.identity, "superuser-add", eve.email, null, null),
        by(ada.identity, "password", eve.email, null, null),
        by(ada.identity, "superuser-remove", eve.email, null, null),
        by(null, "password", ada.identity, null, null),
        by(null, "stop", "application", life, null),
      ],
    );
    assert.equal(told.find(({ kind }) => kind === "cancel")!.detail, `run ${run_id}`);
    assert.ok(told.every(({ instance }) => instance === "web-1"));
  });

  it("has what was done on the command line", async (t) => {
    const { app, changes } = await createConfiguredApp(t);
    const cli = new URL("../src/cli/bin.ts", import.meta.url).pathname;
    const args = [cli, "superuser", "create", "eve@example.com", "--data-dir", app.dataDir];
    const program = startProgram(t, args, { input: "battery staple" });
    assert.deepEqual(await program.ended, [0, null], program.stderr);
    const [change] = await changes();
    const { kind, subject, actor, detail } = change!;
    assert.deepEqual(
      [kind, subject, actor, detail],
      ["superuser-add", "eve@example.com", null, "on the command line"],
    );
  });
});

describe("the settings of a fleet", () => {
  it("are taken over by every instance, and the record names who chose and where", async (t) => {
    const { url: database, drop } = await createTestDatabase();
    t.after(drop);
    const one = await createConfiguredApp(t, { database });
    const other = await createConfiguredApp(t, { database, instance: "web-2" });
    t.after(() => Promise.all([one.app.stop(), other.app.stop()]));
    await one.send("PUT", "/config/logLevel", { value: "error", minutes: 60 });
    await one.send("PUT", "/config/visitors.exclude", { value: ["/a", "/b"] });
    const taken = await until(
      "the other application takes the level",
      () => other.setting("logLevel"),
      ({ value }) => value === "error",
    );
    assert.deepEqual([taken.initial, taken.changed_by], ["info", ada.identity]);
    assert.equal(other.app.logger.level, "error");
    assert.deepEqual((await other.setting("visitors.exclude")).value, ["/a", "/b"]);
    await other.send("DELETE", "/config/logLevel");
    await until(
      "the level goes back",
      async () => one.app.logger.level,
      (level) => level === "info",
    );
    const told = await until("the change is recorded", one.changes, (changes) =>
      changes.some(({ kind }) => kind === "revert"),
    );
    assert.deepEqual(
      told
        .filter(({ subject }) => subject === "logLevel")
        .map(({ kind, instance, actor }) => [kind, instance, actor]),
      [
        ["revert", "web-2", ada.identity],
        ["setting", "web-1", ada.identity],
      ],
    );
    const { storage, entries } = await one.config();
    assert.equal(storage.engine, "postgres");
    assert.ok(storage.parts.some(({ name }) => name === "annex_changes"));
    const shown = String(entries.find(({ name }) => name === "database")!.value);
    const { host, pathname, password } = new URL(database);
    assert.equal(shown, `postgres://${host}${pathname}`);
    assert.ok(password === "" || !JSON.stringify(entries).includes(`:${password}@`));
  });
});
