import assert from "node:assert/strict";
import { after, describe, it, type TestContext } from "node:test";
import { createTemporaryFolder, createTestApp } from "../src/app/testing/test-app.ts";
import { type APIDocsConfig, APIVersionManager, type AppOptions } from "../src/index.ts";
import { FakeClock } from "../src/lib/testing/fake-clock.ts";
import { until } from "../src/lib/testing/until.ts";
import { createTestDatabase, type TestDatabase } from "./support/postgres.ts";

const databases: TestDatabase[] = [];
after(() => Promise.all(databases.map(({ drop }) => drop())));

/** The storage options of several instances that share their data, or of one after another. */
const engines: Record<string, (t: TestContext) => Promise<AppOptions>> = {
  SQLite: async (t) => ({ dataDir: createTemporaryFolder(t) }),
  PostgreSQL: async () => {
    const database = await createTestDatabase();
    databases.push(database);
    return { database: database.url };
  },
};

const deprecated = { status: "deprecated" };
const march = Date.parse("2026-03-02T10:00:00Z");
const dayMs = 86_400_000;

/** A process that starts at a time and sees a version with this configuration. */
function createInstance(t: TestContext, options: AppOptions, at: number, config: Partial<APIDocsConfig>) {
  const clock = new FakeClock(new Date(at).toISOString());
  const versions = new APIVersionManager({ clock });
  versions.registerVersion("v1", config);
  versions.setVersionRouteRegistrar("v1", (router) => router.get("/api/v1/todos", (e) => e.noContent()));
  const app = createTestApp(t, { versions, ...options });
  const read = async () => (await app.inject({ url: "/api/v1/todos" })).headers.deprecation;
  return { app, clock, versions, read };
}

const header = (time: number) => `@${time / 1_000}`;

for (const [engine, open] of Object.entries(engines)) {
  describe(`the Deprecation header with ${engine}`, () => {
    it("has the time when the status was first seen, after a restart as well", async (t) => {
      const options = await open(t);
      const first = createInstance(t, options, march, deprecated);
      assert.equal(await first.read(), header(march));
      await first.app.stop();
      const second = createInstance(t, options, march + dayMs, deprecated);
      assert.equal(await second.read(), header(march));
    });

    it("has the time of a change at run time", async (t) => {
      const options = await open(t);
      const first = createInstance(t, options, march, { status: "stable" });
      assert.equal(await first.read(), undefined);
      first.clock.advance(dayMs);
      first.versions.updateVersionConfig("v1", deprecated);
      assert.equal(await first.read(), header(march + dayMs));
      await first.app.stop();
      const second = createInstance(t, options, march + 2 * dayMs, deprecated);
      assert.equal(await second.read(), header(march + dayMs));
    });

    it("has the time of the configuration, if it is set", async (t) => {
      const options = await open(t);
      const first = createInstance(t, options, march, deprecated);
      assert.equal(await first.read(), header(march));
      await first.app.stop();
      const config = { ...deprecated, deprecatedSince: "2026-01-15" };
      const second = createInstance(t, options, march + dayMs, config);
      assert.equal(await second.read(), header(Date.parse("2026-01-15")));
      second.versions.updateVersionConfig("v1", { deprecatedSince: "" });
      assert.equal(await second.read(), header(march));
      second.versions.updateVersionConfig("v1", { status: "stable" });
      assert.equal(await second.read(), undefined);
    });

    it("is known for versions that a serve hook registers", async (t) => {
      const options = await open(t);
      const starts = [march, march + dayMs];
      for (const at of starts) {
        const versions = new APIVersionManager({ clock: new FakeClock(new Date(at).toISOString()) });
        const app = createTestApp(t, options);
        app.onServe((e) => {
          versions.registerVersion("v1", deprecated);
          versions.setVersionRouteRegistrar("v1", (router) => router.get("/a", (e) => e.noContent()));
          versions.registerWithServer(app);
          versions.registerAllVersionRoutes(e);
        });
        assert.equal((await app.inject({ url: "/a" })).headers.deprecation, header(march));
        await app.stop();
      }
    });
  });
}

it("instances that share a database send the same Deprecation header", async (t) => {
  const options = await engines.PostgreSQL!(t);
  const [one, other] = [march, march + dayMs].map((at) => createInstance(t, options, at, deprecated));
  assert.equal(await one!.read(), header(march));
  assert.equal(await other!.read(), header(march));
  for (const { versions } of [one!, other!]) versions.registerVersion("v2");
  one!.versions.updateVersionConfig("v2", deprecated);
  const info = (each: typeof one) => each!.versions.find("v2")!.deprecatedAt?.getTime();
  await until("the first instance has stored the time", () => info(one) === march);
  other!.versions.updateVersionConfig("v2", deprecated);
  await until("the other instance uses it", () => info(other) === march);
});

it("a failure to store the time is logged, and the header has the time of the change", async (t) => {
  const { app, clock, versions, read } = createInstance(t, {}, march, { status: "stable" });
  assert.equal(await read(), undefined);
  const database = await app.database();
  await database.tables<object>().schema.dropTable("annex_docs_deprecations").execute();
  clock.advance(dayMs);
  versions.updateVersionConfig("v1", deprecated);
  assert.equal(await read(), header(march + dayMs));
  await until("the failure is logged", async () => {
    const { items } = await app.logs.search({ text: "Failed to store the time" });
    return items.length === 1;
  });
});
