import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { authMigrations } from "../../auth/index.ts";
import { ada, createOwnedServer } from "../../auth/testing/server.ts";
import type { OptionEntry } from "../../lib/options/show-option.ts";
import { FakeClock } from "../../lib/testing/fake-clock.ts";
import type { Engine } from "../../storage/index.ts";
import { engines, openTestDatabase } from "../../storage/testing/test-database.ts";
import { createAuditLog } from "./audit-log.ts";
import { createSettings } from "./settings.ts";
import { settingsMigrations } from "./tables.ts";
import { createTestSettings, start } from "./testing/test-settings.ts";
import type { Change } from "./wire.ts";

const about = "What it does.";
const entries: OptionEntry[] = [
  {
    name: "port",
    group: "server",
    about,
    value: 8090,
    source: "default",
    variable: "SVC_PORT",
    default: 8090,
  },
  { name: "signals", group: "server", about, value: true, source: "code", default: true },
  {
    name: "level",
    group: "log",
    about,
    value: "info",
    source: "environment",
    variable: "SVC_LEVEL",
    default: "debug",
  },
  { name: "zone", group: "cron", about, value: "UTC", source: "default", default: "UTC" },
];

async function createSite(t: TestContext, engine: Engine = "sqlite") {
  const closing: (() => Promise<void>)[] = [];
  // Pending entries are written before the store is closed.
  t.after(async () => {
    for (const close of closing) await close();
  });
  const store = await openTestDatabase(t, engine, authMigrations, settingsMigrations);
  const clock = new FakeClock(start);
  const { settings, values } = createTestSettings();
  const logger = { info() {}, warn: (message: string) => assert.fail(message) };
  const database = async () => store;
  const auditLog = createAuditLog({ database, clock, instance: "web-1", logger });
  let zone: string | undefined;
  const feature = createSettings({
    database,
    clock,
    logger,
    auditLog,
    settings,
    entries,
    groups: [{ name: "log", title: "Logging", order: 1 }],
    stores: [],
    dropped: () => [{ name: "views", title: "Views", about: "Too many.", count: () => 3 }],
    storeStates: () => [],
    ownOptions: () => [{ name: "zone", chosen: async () => zone, remedy: "send it to POST /zone" }],
    countSessions: async () => ({ browsers: 2, tokens: 3 }),
  });
  closing.push(
    () => feature.close(),
    () => auditLog.close(),
  );
  await feature.open();
  const { inject, token } = await createOwnedServer(t, {
    store,
    routes: ({ routes }) => feature.mount(routes.router("Annex")),
  });
  const send = (method: string, url: string, body?: unknown) =>
    inject({
      method,
      url: `/_/_/data${url}`,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      body,
    });
  return { inject, send, values, clock, auditLog, setZone: (name: string) => (zone = name) };
}

for (const engine of engines) {
  describe(`the routes of the configuration on ${engine}`, () => {
    it("return every value with its source, the settings, sessions and sizes", async (t) => {
      const { send, setZone, values } = await createSite(t, engine);
      const response = await send("GET", "/config");
      assert.equal(response.headers["cache-control"], "no-store");
      const { storage, ...reported } = response.json<Record<string, object>>();
      assert.deepEqual(reported, {
        entries,
        groups: [{ name: "log", title: "Logging" }],
        dropped: [{ name: "views", title: "Views", about: "Too many." }],
        settings: [
          {
            name: "level",
            meaning: "How much is said.",
            kind: "choice",
            options: ["debug", "info", "warn"],
            value: "info",
            initial: "info",
            changed_at: null,
            changed_by: null,
            until: null,
          },
          {
            name: "log.hours",
            meaning: "How long it is kept.",
            kind: "number",
            unit: "hours",
            least: 1,
            most: 100,
            value: 72,
            initial: 72,
            changed_at: null,
            changed_by: null,
            until: null,
          },
          {
            name: "paths",
            meaning: "What is left out.",
            kind: "paths",
            most: 3,
            value: [],
            initial: [],
            changed_at: null,
            changed_by: null,
            until: null,
          },
        ],
        sessions: { count: 2, tokens: 3 },
      });
      const {
        engine: told_engine,
        bytes,
        parts,
      } = storage as { engine: string; bytes: number; parts: { name: string; bytes: number }[] };
      assert.equal(told_engine, engine);
      assert.ok(parts.some(({ name }) => name === (engine === "sqlite" ? "annex.db" : "annex_settings")));
      assert.ok(bytes >= parts.reduce((sum, part) => sum + part.bytes, 0));

      setZone("Europe/Berlin");
      values.level = "warn";
      const sources = async () => {
        const { entries: current } = (await send("GET", "/config")).json<{ entries: OptionEntry[] }>();
        return current.map(({ value, source }) => [value, source]);
      };
      const fixed = [
        [8090, "default"],
        [true, "code"],
      ];
      assert.deepEqual(await sources(), [...fixed, ["warn", "code"], ["Europe/Berlin", "run time"]]);
      await send("PUT", "/config/level", { value: "debug" });
      assert.deepEqual(await sources(), [...fixed, ["debug", "run time"], ["Europe/Berlin", "run time"]]);
    });

    it("change a setting, revert it, and return the actor", async (t) => {
      const { send, values, auditLog } = await createSite(t, engine);
      const changed = await send("PUT", "/config/level", { value: "debug", minutes: 5 });
      assert.equal(changed.status, 200, changed.body);
      assert.deepEqual(changed.json(), {
        name: "level",
        meaning: "How much is said.",
        kind: "choice",
        options: ["debug", "info", "warn"],
        value: "debug",
        initial: "info",
        changed_at: start,
        changed_by: ada.identity,
        until: start + 300_000,
      });
      assert.equal(values.level, "debug");
      const reverted = await send("DELETE", "/config/level");
      assert.deepEqual(
        [reverted.status, reverted.json<{ value: string }>().value, values.level],
        [200, "info", "info"],
      );
      await auditLog.close();
      const response = await send("GET", "/changes");
      const { changes: reported, to } = response.json<{ changes: Change[]; from: number; to: number }>();
      assert.equal(to, start + 1);
      const common = { at: start, actor: ada.identity, instance: "web-1", subject: "level" };
      assert.deepEqual(
        reported.map(({ id: _, ...change }) => change),
        [
          { ...common, kind: "revert", before: "debug", after: "info", detail: null },
          { ...common, kind: "setting", before: "info", after: "debug", detail: "for 5 minutes" },
        ],
      );
      const count = async (query: string) =>
        (await send("GET", `/changes?${query}`)).json<{ changes: Change[] }>().changes.length;
      assert.equal(await count("kind=revert"), 1);
      assert.equal(await count("kind=revert,setting"), 2);
      assert.equal(await count("kind=run"), 0);
      assert.equal(await count("limit=1"), 1);
      assert.equal(await count(`from=${start + 1}&to=${start + 2}`), 0);
      assert.equal(await count("from=2026-03-01T12:00:00Z"), 2);
    });
  });
}

describe("the routes of the configuration", () => {
  for (const [method, url] of [
    ["GET", "/config"],
    ["PUT", "/config/level"],
    ["DELETE", "/config/level"],
    ["GET", "/changes"],
  ] as const) {
    it(`are for superusers: ${method} ${url}`, async (t) => {
      const { inject, values } = await createSite(t);
      const body = method === "PUT" ? { value: "debug" } : undefined;
      assert.equal((await inject({ method, url: `/_/_/data${url}`, body })).status, 401);
      assert.equal(values.level, "info");
    });
  }

  it("take a browser's session only from our own pages", async (t) => {
    const { inject, values } = await createSite(t);
    const form = new URLSearchParams({ ...ada, next: "/_/" });
    const own = { host: "annex.test", origin: "http://annex.test" };
    const signedIn = await inject({ method: "POST", url: "/_/sign-in", headers: own, body: form });
    const cookie = String(signedIn.headers["set-cookie"]).split(";")[0]!;
    const url = "/_/_/data/config/level";
    const put = (headers: Record<string, string>) =>
      inject({
        method: "PUT",
        url,
        headers: { host: "annex.test", cookie, ...headers },
        body: { value: "debug" },
      });
    const elsewhere = await put({ origin: "http://evil.test" });
    assert.deepEqual([elsewhere.status, values.level], [403, "info"]);
    const hidden = await put({ "sec-fetch-site": "cross-site" });
    assert.deepEqual([hidden.status, values.level], [403, "info"]);
    const remove = await inject({
      method: "DELETE",
      url,
      headers: { host: "annex.test", cookie, origin: "null" },
    });
    assert.equal(remove.status, 403);
    assert.deepEqual([(await put({ origin: "http://annex.test" })).status, values.level], [200, "debug"]);
  });

  const refused: [method: string, url: string, body: unknown, status: number, message: RegExp][] = [
    ["PUT", "/config/nothing", { value: 1 }, 404, /Option "nothing" does not exist/],
    ["DELETE", "/config/__proto__", undefined, 404, /Option "__proto__" does not exist/],
    ["PUT", `/config/${"x".repeat(5_000)}`, { value: 1 }, 404, /^.{0,200}$/],
    [
      "PUT",
      "/config/port",
      { value: 1 },
      409,
      /set it in createApp or with the environment variable SVC_PORT/,
    ],
    ["PUT", "/config/signals", { value: false }, 409, /set it in createApp and restart/],
    ["DELETE", "/config/port", undefined, 409, /cannot be changed at run time/],
    ["PUT", "/config/zone", { value: "UTC" }, 409, /send it to POST \/zone/],
    ["PUT", "/config/level", { value: "loud" }, 400, /level must be one of debug, info, warn/],
    ["PUT", "/config/level", {}, 400, /level must be one of/],
    ["PUT", "/config/level", "null", 400, /must be a JSON object/],
    ["PUT", "/config/level", "[", 400, /not valid/],
    [
      "PUT",
      "/config/level",
      { value: "debug", minutes: 0 },
      400,
      /minutes must be an integer from 1 to 1440/,
    ],
    ["PUT", "/config/level", { value: "debug", minutes: 1_441 }, 400, /minutes/],
    ["PUT", "/config/level", { value: "debug", minutes: "5" }, 400, /minutes/],
    ["PUT", "/config/level", { value: "debug", minutes: 1.5 }, 400, /minutes/],
    ["PUT", "/config/log.hours", { value: 0 }, 400, /log\.hours must be a number of hours from 1 to 100/],
    ["PUT", "/config/log.hours", { value: 1e9 }, 400, /from 1 to 100/],
    ["PUT", "/config/log.hours", { value: "<b>" }, 400, /from 1 to 100/],
    ["PUT", "/config/paths", { value: ["/1", "/2", "/3", "/4"] }, 400, /at most 3 paths/],
    ["PUT", "/config/paths", { value: [`/${"x".repeat(200)}`] }, 400, /at most 200 characters/],
    ["PUT", "/config/paths", { value: ["x".repeat(70_000)] }, 413, /larger/],
    ["GET", "/changes?limit=501", undefined, 400, /limit must be an integer from 1 to 500/],
    ["GET", "/changes?limit=-1", undefined, 400, /limit/],
    ["GET", "/changes?kind=run,murder", undefined, 400, /kind must be one or more of start, stop/],
    ["GET", "/changes?from=yesterday", undefined, 400, /from must be a time/],
  ];
  for (const [method, url, body, status, message] of refused) {
    it(`refuse ${method} ${url.slice(0, 40)} ${JSON.stringify(body)?.slice(0, 50) ?? ""}`, async (t) => {
      const { send, values } = await createSite(t);
      const response = await send(method, url, body);
      assert.equal(response.status, status, response.body);
      assert.match(response.json<{ message: string }>().message, message);
      assert.deepEqual(values, { level: "info", hours: 72, paths: [] });
    });
  }

  it("name the fields that are wrong", async (t) => {
    const { send } = await createSite(t);
    const response = await send("PUT", "/config/level", { value: 1, minutes: -1 });
    assert.deepEqual(Object.keys(response.json<{ data: object }>().data), ["value", "minutes"]);
  });

  it("return hostile text unchanged, as JSON", async (t) => {
    const { send, auditLog } = await createSite(t);
    const paths = ["/<script>alert(1)</script>", "/\u0000\ud800\u2028'\"\\", "/*"];
    const response = await send("PUT", "/config/paths", { value: paths, minutes: null });
    assert.match(String(response.headers["content-type"]), /^application\/json/);
    assert.deepEqual(response.json<{ value: string[] }>().value, paths);
    await auditLog.close();
    const [change] = (await send("GET", "/changes")).json<{ changes: Change[] }>().changes;
    assert.deepEqual(change!.after, paths);
  });
});
