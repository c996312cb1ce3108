/**
 * An instance is ready as long as its application can respond. A balancer must not take it out because its monitoring
 * fails.
 */
import assert from "node:assert/strict";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { createTestApp } from "../src/app/testing/test-app.ts";
import type { App } from "../src/index.ts";
import { eventually, until } from "../src/lib/testing/until.ts";
import { openDatabase } from "../src/storage/index.ts";
import { startSource } from "./support/program.ts";
import { fillDisk, mountSmallDisk } from "./support/small-disk.ts";

type TestApp = App & { readonly dataDir: string };

interface Ready {
  status: string;
  checks: { store: string };
  reason?: string;
}

const breakDatabase = ({ dataDir }: TestApp) =>
  renameSync(join(dataDir, "annex.db"), join(dataDir, "away.db"));

async function breakLogs({ dataDir }: TestApp): Promise<void> {
  await using logs = await openDatabase({ dataDir, file: "logs.db" });
  await logs.tables().schema.alterTable("annex_log_blocks").renameTo("hidden_log_blocks").execute();
}

async function read(app: App) {
  const response = await app.inject({ url: "/api/health/ready" });
  return { code: response.status, ...response.json<Ready>() };
}

const healthOf = async (app: App) =>
  (await app.inject({ url: "/api/health" })).json<{ status: string }>().status;

describe("readiness while the database cannot be written", () => {
  it("is not affected in an application that does not use it", async (t) => {
    const app = createTestApp(t);
    app.onServe(({ router }) => void router.get("/plain", (e) => e.text(200, "fine")));
    assert.deepEqual(await read(app), { code: 200, status: "ready", checks: { store: "ok" } });
    breakDatabase(app);
    const failing = { code: 200, status: "ready", checks: { store: "failing" } };
    const found = await until(
      "the failure is noticed",
      () => read(app),
      ({ checks }) => checks.store === "failing",
    );
    assert.deepEqual(found, failing);
    assert.equal(await healthOf(app), "degraded");
    assert.equal((await app.inject({ url: "/plain" })).status, 200);
  });

  const uses: Record<string, (t: TestContext) => Promise<TestApp>> = {
    "has asked for it": async (t) => {
      const app = createTestApp(t);
      await app.database();
      return app;
    },
    "has tables of its own": async (t) =>
      createTestApp(t, {
        migrations: {
          "001-notes": { up: (db) => db.schema.createTable("notes").addColumn("id", "integer").execute() },
        },
      }),
    "needs everything": async (t) => createTestApp(t, { health: { readyNeeds: "everything" } }),
  };
  for (const [name, create] of Object.entries(uses))
    it(`ends in an application that ${name}`, async (t) => {
      const app = await create(t);
      assert.equal((await read(app)).status, "ready");
      breakDatabase(app);
      const found = await until(
        "it is not ready",
        () => read(app),
        ({ code }) => code === 503,
      );
      assert.deepEqual([found.status, found.reason], ["unavailable", "file_removed"]);
      assert.equal(await healthOf(app), "degraded");
    });

  it("includes the log records only in an application that needs everything", async (t) => {
    for (const readyNeeds of ["application", "everything"] as const) {
      const app = createTestApp(t, { health: { readyNeeds } });
      await app.database();
      await app.inject({ url: "/api/health" });
      await breakLogs(app);
      app.logger.info("lost");
      await until(
        "the failure is noticed",
        () => healthOf(app),
        (status) => status === "degraded",
      );
      const { code, status, reason, ...rest } = await read(app);
      assert.deepEqual(
        [code, status, reason],
        readyNeeds === "everything" ? [503, "unavailable", "log"] : [200, "ready", undefined],
      );
      assert.doesNotMatch(JSON.stringify(rest), /annex_log_blocks|\.db/);
    }
  });
});

/** An application that uses no database, on its own port or on a server that exists. */
const programs = {
  "on its own port": `
    const app = annex.createApp({ port: 0, signals: false });
    app.onServe(({ router }) => void router.get("/", (e) => e.text(200, "sold")));
    const { url } = await app.start();
    console.log("up at " + url);
  `,
  attached: `
    import { createServer } from "node:http";
    const app = annex.createApp({ signals: false });
    const server = createServer((request, response) => response.end("sold"));
    await app.attach(server);
    server.listen(0, "127.0.0.1", () => console.log("up at http://127.0.0.1:" + server.address().port));
  `,
};

describe("on a full disk", () => {
  for (const [place, source] of Object.entries(programs))
    for (const needs of ["application", "everything"])
      it(`an application ${place} that needs ${needs} responds, and is ${needs === "application" ? "" : "not "}ready`, async (t) => {
        const folder = mountSmallDisk(t, "6m");
        if (folder === undefined) return t.skip("needs the right to mount a file system");
        const env = { SVC_DATA_DIR: folder, SVC_HEALTH_READY_NEEDS: needs };
        const [, url] = await startSource(t, source, { env }).says(/up at (http:\S+)/);
        const get = (path: string) => fetch(`${url}${path}`, { signal: AbortSignal.timeout(60_000) });
        const statusOf = async (path: string) => ((await (await get(path)).json()) as Ready).status;
        assert.equal((await get("/api/health/ready")).status, 200);
        fillDisk(folder);
        await eventually(async () => {
          await get("/api/health/ready");
          return (await statusOf("/api/health")) === "degraded";
        });
        assert.equal(await (await get("/")).text(), "sold");
        const ready = await get("/api/health/ready");
        if (needs === "application") assert.equal(ready.status, 200);
        else assert.equal(ready.status, 503);
      });
});
