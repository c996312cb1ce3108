import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { describe, it } from "node:test";
import { defineFeature, type Feature } from "../feature/index.ts";
import type { App } from "./app.ts";
import { createAppWith } from "./application.ts";
import { features } from "./features.ts";
import { createTemporaryFolder } from "./testing/test-app.ts";

/** What an application must not have without a feature: its routes, tables and files. */
const traces: Readonly<
  Record<string, { readonly route?: string; readonly tables?: RegExp; readonly file?: string }>
> = {
  logging: { route: "/_/_/data/logs", file: "logs.db" },
  settings: { route: "/_/_/data/config", tables: /^annex_(settings|changes)$/ },
  access: { route: "/_/_/data/access", tables: /^annex_access$/ },
  "rate-limits": { tables: /^annex_rate_limits$/ },
  metrics: { route: "/api/health" },
  visitors: { route: "/_/_/data/visitors" },
  cron: { route: "/api/cron/jobs", tables: /^annex_cron_/ },
  docs: { route: "/api/docs/versions" },
  dashboard: { route: "/_/_" },
};

/** Starts an application with these features, and stops it after the test. */
async function startWith(
  t: { after(fn: () => unknown): void },
  installed: readonly Feature[],
): Promise<{ app: App; dataDir: string; url: string }> {
  const dataDir = createTemporaryFolder(t);
  const app = createAppWith(installed, { port: 0, dataDir, signals: false });
  t.after(() => app.stop());
  app.onServe(({ router }) => {
    router.get("/x", (e) => e.json(200, {}));
  });
  const { url } = await app.start();
  return { app, dataDir, url };
}

async function listTables(app: App): Promise<string[]> {
  const rows = await (await app.database())
    .tables<{ sqlite_master: { name: string; type: string } }>()
    .selectFrom("sqlite_master")
    .select("name")
    .where("type", "=", "table")
    .execute();
  return rows.map(({ name }) => name);
}

/** Routes that exist are 200, 302, 401 or 403 without a sign-in. */
async function hasRoute(url: string, route: string): Promise<boolean> {
  return (await fetch(`${url}${route}`, { redirect: "manual" })).status !== 404;
}

describe("an application", () => {
  it("has all features", async (t) => {
    assert.deepEqual(features.map(({ name }) => name).toSorted(), Object.keys(traces).toSorted());
    const { app, url, dataDir } = await startWith(t, features);
    const tables = await listTables(app);
    for (const { route, tables: own, file } of Object.values(traces)) {
      assert.ok(route === undefined || (await hasRoute(url, route)), route);
      assert.ok(own === undefined || tables.some((name) => own.test(name)), `${own}`);
      assert.ok(file === undefined || readdirSync(dataDir).includes(file), file);
    }
  });

  for (const left of features) {
    it(`starts, serves and stops without ${left.name}`, async (t) => {
      const { route, tables: own, file } = traces[left.name]!;
      const installed = features.filter((feature) => feature !== left);
      const { app, url, dataDir } = await startWith(t, installed);
      assert.equal((await fetch(`${url}/x`)).status, 200);
      assert.ok(route === undefined || !(await hasRoute(url, route)), route);
      assert.deepEqual(
        (await listTables(app)).filter((name) => own?.test(name)),
        [],
      );
      await app.stop();
      assert.ok(file === undefined || !readdirSync(dataDir).includes(file), file);
    });
  }

  it("has no background thread without metrics and visitors", async (t) => {
    const installed = features.filter(({ name }) => name !== "metrics" && name !== "visitors");
    const { app, url, dataDir } = await startWith(t, installed);
    assert.equal((await fetch(`${url}/x`)).status, 200);
    await app.stop();
    assert.ok(!readdirSync(dataDir).includes("metrics.db"));
  });

  it("closes all features, even if one fails to close", async (t) => {
    const closed: string[] = [];
    const define = (name: string, isBroken = false) =>
      defineFeature({
        name,
        options: [],
        create: () => ({
          async close() {
            closed.push(name);
            if (isBroken) throw new Error("broken");
          },
        }),
      });
    const { app, dataDir } = await startWith(t, [define("first"), define("second", true), define("third")]);
    await app.stop();
    assert.deepEqual(closed, ["third", "second", "first"]);
    // The data folder is free again.
    const next = createAppWith(features, { port: 0, dataDir, signals: false });
    t.after(() => next.stop());
    await next.start();
  });

  it("names a feature that is used but not installed", async (t) => {
    const { app } = await startWith(
      t,
      features.filter(({ name }) => name !== "cron"),
    );
    assert.throws(() => app.jobs, /The feature "cron" is not installed/);
  });
});
