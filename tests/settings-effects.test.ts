import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { createTemporaryFolder, createTestApp } from "../src/app/testing/test-app.ts";
import { createLogStore, logMigrations } from "../src/features/logging/index.ts";
import { createRequestBlock } from "../src/features/logging/testing/request-block.ts";
import type { App, AppOptions } from "../src/index.ts";
import { until } from "../src/lib/testing/until.ts";
import { type Database, openDatabase } from "../src/storage/index.ts";

const ada = { identity: "ada@example.com", password: "correct horse" };
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0";
const page = { accept: "text/html", "sec-fetch-dest": "document", "user-agent": firefox };
const hour = 3_600_000;
const day = 24 * hour;

/** An application on a folder that outlives it, and a token that does so, too. */
async function createFolder(t: TestContext) {
  const dataDir = createTemporaryFolder(t);
  const app = createTestApp(t, { dataDir });
  await app.superusers.create(ada.identity, ada.password);
  const url = "/api/collections/_superusers/auth-with-password";
  const { token } = (await app.inject({ method: "POST", url, body: ada })).json<{ token: string }>();
  await app.stop();
  return { dataDir, open: (options: AppOptions = {}) => openApp(t, token, { dataDir, ...options }) };
}

function openApp(t: TestContext, token: string, options: AppOptions) {
  const app = createTestApp(t, { logLevel: "info", ...options });
  const headers = { authorization: `Bearer ${token}` };
  async function send<T>(method: string, url: string, body?: unknown): Promise<T> {
    const response = await app.inject({ method, url, headers, body });
    assert.equal(response.status >= 200 && response.status < 300, true, `${method} ${url}: ${response.body}`);
    return response.json<T>();
  }
  const read = <T>(path: string) => send<T>("GET", `/_/_/data${path}`);
  const choose = (name: string, value: unknown) => send("PUT", `/_/_/data/config/${name}`, { value });
  /** Runs a job by hand, and gives what it has said once it is over. */
  async function run(job: string): Promise<{ id: string; output: string }> {
    const { run_id: id } = await send<{ run_id: string }>("POST", `/api/cron/jobs/${job}/run`);
    const { output } = await until(
      `run ${id} ends`,
      () => app.jobs.findRun(id),
      ({ status }) => status !== "running",
    );
    return { id, output };
  }
  return { app, read, choose, run };
}

/** A second way to what an application keeps. */
async function withDatabase<T>(
  dataDir: string,
  file: string | undefined,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase({ dataDir, ...(file !== undefined && { file }) });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

describe("the log level that is chosen at run time", () => {
  it("changes the retention immediately and after a restart", async (t) => {
    const folder = await createFolder(t);
    const said = async ({ app, read }: ReturnType<typeof folder.open>, word: string) => {
      for (const level of ["debug", "warn", "error"] as const) app.logger[level](`${word} ${level}`);
      const { items } = await read<{ items: { msg: string }[] }>(`/logs?text=${word}`);
      return items.map(({ msg }) => msg.split(" ")[1]).sort();
    };
    const first = folder.open();
    await first.read("/config");
    assert.deepEqual(await said(first, "initially"), ["error", "warn"]);
    await first.choose("logLevel", "debug");
    assert.deepEqual(await said(first, "talkative"), ["debug", "error", "warn"]);
    await first.choose("logLevel", "error");
    assert.deepEqual(await said(first, "silent"), ["error"]);
    await first.app.stop();
    const again = folder.open();
    await again.read("/config");
    assert.deepEqual(await said(again, "later"), ["error"]);
  });
});

describe("the sample of requests that is chosen at run time", () => {
  it("applies to the next requests, and is shown with the records", async (t) => {
    const { app, choose, read } = (await createFolder(t)).open({ logLevel: "debug" });
    const find = () =>
      read<{ items: { status: string }[]; recording: { sample: number } }>("/logs?path=/sampled*&limit=1000");
    app.onServe(({ router }) => void router.get("/sampled", (e) => e.noContent()));
    const request = async () => {
      for (let count = 0; count < 10; count++) await app.inject({ url: "/sampled" });
      await app.inject({ url: "/sampled/missing" });
    };
    await request();
    assert.equal((await find()).items.length, 11);
    await choose("log.sample", 0.0001);
    await request();
    const { items, recording } = await find();
    assert.equal(recording.sample, 0.0001);
    assert.ok(items.length < 22, "some are left out");
    assert.equal(items.filter(({ status }) => status.startsWith("404")).length, 2);
    await choose("log.slowMs", 1);
    await choose("log.sample", 1);
    await request();
    assert.ok((await find()).items.length >= items.length + 11);
  });
});

/** Writes a block of that age as a server would have, and tells how many old ones there are. */
async function writeOldBlock(dataDir: string, bytes?: Buffer): Promise<number> {
  return withDatabase(dataDir, "logs.db", async (database) => {
    await database.migrate([logMigrations]);
    const store = createLogStore({
      connection: async () => database,
      database: { dataDir, file: "logs.db" },
      retention: { maxAgeMs: day, maxBytes: 1e9 },
    });
    const time = Date.now() - 2 * hour;
    const block = await createRequestBlock({ path: "/old" });
    store.append({ ...block, ...(bytes && { bytes }), firstTime: time, lastTime: time });
    await store.close();
    return countOldBlocks(dataDir);
  });
}

function countOldBlocks(dataDir: string): Promise<number> {
  return withDatabase(dataDir, "logs.db", async (database) => {
    const tables = database.tables<{ annex_log_blocks: { last_time: number } }>();
    const blocks = tables.selectFrom("annex_log_blocks").select("last_time");
    return (await blocks.where("last_time", "<", Date.now() - hour).execute()).length;
  });
}

describe("how much of the log is kept", () => {
  const chosen: [name: string, bytes: Buffer | undefined][] = [
    ["log.retentionHours", undefined],
    ["log.maxMegabytes", Buffer.from(`{"msg":"${randomBytes(1_200_000).toString("base64")}"}\n`)],
  ];
  for (const [name, bytes] of chosen) {
    // The thread that deletes does so when it begins, a second after the log is opened, and then once a minute.
    it(`follows ${name}, and does so after a restart`, { timeout: 450_000 }, async (t) => {
      const { dataDir, open } = await createFolder(t);
      assert.equal(await writeOldBlock(dataDir, bytes), 1);
      const first = open();
      await first.choose(name, 1);
      const isGone = (count: number) => count === 0;
      await until("the old block is removed", () => countOldBlocks(dataDir), isGone);
      await first.app.stop();
      assert.equal(await writeOldBlock(dataDir, bytes), 1);
      const again = open();
      await again.read("/config");
      await until("the old block is removed", () => countOldBlocks(dataDir), isGone);
    });
  }
});

describe("how long the logs of jobs are kept", () => {
  it("is what was chosen, also after a restart", async (t) => {
    const { dataDir, open } = await createFolder(t);
    const age = (id: string) =>
      withDatabase(dataDir, undefined, (database) =>
        database
          .tables<{ annex_cron_runs: { id: string; ended_at: number } }>()
          .updateTable("annex_cron_runs")
          .set({ ended_at: Date.now() - 2 * hour })
          .where("id", "=", id)
          .execute(),
      );
    const kept = async ({ read }: ReturnType<typeof open>) =>
      (await read<{ runs: { id: string }[] }>("/cron/jobs/__svcMetricsRollup__")).runs.length;

    const first = open();
    await age((await first.run("__svcMetricsRollup__")).id);
    assert.match((await first.run("__svcLogClean__")).output, /Deleted 0 job logs/);
    assert.equal(await kept(first), 1);
    await first.choose("cron.logRetentionHours", 1);
    assert.match((await first.run("__svcLogClean__")).output, /Deleted 1 job log/);
    assert.equal(await kept(first), 0);
    await age((await first.run("__svcMetricsRollup__")).id);
    await first.app.stop();
    const again = open();
    assert.equal(await kept(again), 1);
    assert.match((await again.run("__svcLogClean__")).output, /Deleted 1 job log/);
    assert.equal(await kept(again), 0);
  });
});

interface Now {
  store?: { max_bytes: number };
}

describe("how large the history of numbers may grow", () => {
  /** Thirty seconds that take a tenth of a megabyte each. */
  const fill = (dataDir: string) =>
    withDatabase(dataDir, "metrics.db", async (database) => {
      const now = Math.floor(Date.now() / 1_000);
      const none = new Uint8Array();
      const common = { level: 1, instance: "one", writer: "", part: 0, samples: 1, bytes: 100_000 };
      const rows = Array.from({ length: 30 }, (_, index) => ({
        ...common,
        ...{ time: now - index - 60, totals: none, system: none, slowest: "", routes: none },
      }));
      const tables = database.tables<{ annex_metric_slots: (typeof rows)[number] }>();
      await tables.deleteFrom("annex_metric_slots").execute();
      await tables.insertInto("annex_metric_slots").values(rows).execute();
    });
  // What the routes tell of the size is up to twenty seconds old.
  const measure = (dataDir: string) =>
    withDatabase(dataDir, "metrics.db", async (database) => {
      const tables = database.tables<{ annex_metric_slots: { bytes: number } }>();
      const rows = await tables.selectFrom("annex_metric_slots").select("bytes").execute();
      return rows.reduce((sum, { bytes }) => sum + bytes, 0);
    });

  it("is what was chosen, also after a restart", async (t) => {
    const { dataDir, open } = await createFolder(t);
    const first = open();
    // It makes the tables.
    await first.run("__svcMetricsRollup__");
    await fill(dataDir);
    await first.run("__svcMetricsRollup__");
    assert.ok((await measure(dataDir)) >= 3_000_000);
    const assertHeld = async ({ read, run }: ReturnType<typeof open>) => {
      assert.equal((await read<Now>("/now")).store!.max_bytes, 1_000_000);
      await run("__svcMetricsRollup__");
      const bytes = await measure(dataDir);
      assert.ok(bytes > 500_000 && bytes <= 1_000_000, `${bytes}: the oldest are gone, and not all`);
    };
    await first.choose("metrics.maxMegabytes", 1);
    await assertHeld(first);
    await first.app.stop();
    await fill(dataDir);
    await assertHeld(open());
  });

  it("counts for a thread that could not be started before", { timeout: 180_000 }, async (t) => {
    const { dataDir, open } = await createFolder(t);
    // A folder in place of the file keeps the thread from starting, and it is not moved aside when three others were.
    const place = join(dataDir, "metrics.db");
    mkdirSync(place);
    for (const number of [1, 2, 3]) writeFileSync(`${place}.damaged-${number}`, "");
    const { choose, read } = open();
    await choose("metrics.maxMegabytes", 9);
    assert.equal((await read<Now>("/now")).store, undefined);
    rmdirSync(place);
    const { store } = await until(
      "the store is measured",
      () => read<Now>("/now"),
      (now) => now.store !== undefined,
    );
    assert.equal(store!.max_bytes, 9_000_000);
  });
});

interface VisitorsResponse {
  pages: { name: string; views: number }[];
}

describe("whose views are counted", () => {
  function serve(app: App): (url: string, headers?: Record<string, string>) => Promise<unknown> {
    app.onServe(({ router }) => void router.get("/pages/{name}", (e) => e.html(200, "<!doctype html>")));
    return (url, headers) => app.inject({ url, headers: { ...page, ...headers } });
  }

  /** What is counted once a view that counts has been, which comes after the others. */
  async function countedWith({ read }: ReturnType<typeof openApp>, last: string): Promise<string[]> {
    const { pages } = await until(
      "the last view is counted",
      () => read<VisitorsResponse>("/visitors"),
      (response) => response.pages?.some(({ name }) => name === last),
    );
    return pages.map(({ name }) => name.replace("/pages/", "")).sort();
  }

  it("is what was chosen, also after a restart", async (t) => {
    const { open } = await createFolder(t);
    const first = open();
    const view = serve(first.app);
    const untracked = { dnt: "1" };
    await view("/pages/a-counted");
    await view("/pages/b-dnt", untracked);
    await first.choose("visitors.honourDoNotTrack", true);
    await view("/pages/c-not-dnt", untracked);
    await first.choose("visitors.exclude", ["/pages/secret*"]);
    await view("/pages/secret-one");
    await first.choose("visitors.enabled", false);
    await view("/pages/d-not-enabled");
    await first.choose("visitors.enabled", true);
    await view("/pages/e-last");
    const counted = ["a-counted", "b-dnt", "e-last"];
    assert.deepEqual(await countedWith(first, "/pages/e-last"), counted);
    await first.app.stop();

    const second = open();
    const viewAgain = serve(second.app);
    await viewAgain("/pages/f-not-dnt", untracked);
    await viewAgain("/pages/secret-two");
    await viewAgain("/pages/g-last");
    assert.deepEqual(await countedWith(second, "/pages/g-last"), [...counted, "g-last"]);
    await second.choose("visitors.enabled", false);
    await second.app.stop();

    const third = open();
    await serve(third.app)("/pages/h-not-enabled");
    await third.choose("visitors.enabled", true);
    await third.app.inject({ url: "/pages/i-last", headers: page });
    assert.deepEqual(await countedWith(third, "/pages/i-last"), [...counted, "g-last", "i-last"]);
  });
});
