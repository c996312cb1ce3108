import assert from "node:assert/strict";
import { renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, it, type TestContext } from "node:test";
import pg from "pg";
import { eventually, until } from "../src/lib/testing/until.ts";
import { createTestDatabase } from "./support/postgres.ts";
import { createFolder, type Program, startProgram } from "./support/program.ts";

const bin = resolve(import.meta.dirname, "../src/cli/bin.ts");
const annex = resolve(import.meta.dirname, "../src/index.ts");

/** The same program for servers and workers. It only serves, unless it is a worker. */
const server = `
  import { createApp } from ${JSON.stringify(annex)};
  const app = createApp({ cron: { run: false } });
  app.jobs.registerJob("job", "Job", "", "0 0 1 1 *", async (log) => {
    console.log("job begun");
    await new Promise((resolve) => log.signal.addEventListener("abort", resolve));
    console.log("job ended");
  });
  app.onTerminate(() => console.log("terminated"));
  const { url, port } = await app.start();
  console.log("started", JSON.stringify(url), port, process.argv.slice(2).join());
  if (process.argv.includes("--run")) await app.jobs.run("job");
`;

interface Place {
  start(args: string[], env?: Record<string, string>): Program;
  work(args: string[], env?: Record<string, string>): Program;
}

function createPlace(t: TestContext, source = server): Place {
  const cwd = createFolder(t);
  const entry = join(cwd, "server.mts");
  writeFileSync(entry, source);
  const common = { SVC_DATA_DIR: join(cwd, "data"), SVC_PORT: "0" };
  return {
    start: (args, env) => startProgram(t, [entry, ...args], { cwd, env: { ...common, ...env } }),
    work: (args, env) => startProgram(t, [bin, "worker", ...args], { cwd, env: { ...common, ...env } }),
  };
}

describe("annex worker", () => {
  it("runs jobs without listening, and lets them finish after SIGTERM", async (t) => {
    const { work } = createPlace(t);
    const program = work(["server.mts", "--run"]);
    await program.says(/started "" 0 --run/);
    await program.says(/Worker started: it runs jobs and does not listen/);
    assert.doesNotMatch(program.stdout + program.stderr, /listening at|one-time link/);
    await program.says(/job begun/);
    program.child.kill("SIGTERM");
    await program.says(/job ended/);
    await program.says(/terminated/);
    assert.deepEqual(await program.ended, [0, null]);
  });

  it("runs the jobs of an application on another server, which does not change", async (t) => {
    const source = `
      import { createServer } from "node:http";
      import { createApp } from ${JSON.stringify(annex)};
      const app = createApp();
      app.jobs.registerJob("job", "Job", "", "0 0 1 1 *", () => console.log("job ran"));
      const server = createServer();
      await app.attach(server);
      console.log("attached", app.isWorker, Object.hasOwn(server, "emit"));
      if (app.isWorker) await app.jobs.run("job");
    `;
    const { start, work } = createPlace(t, source);
    await start([]).says(/attached false true/);
    const program = work(["server.mts"], { SVC_DATA_DIR: createFolder(t) });
    await program.says(/attached true false/);
    await program.says(/job ran/);
    program.child.kill("SIGTERM");
    assert.deepEqual(await program.ended, [0, null]);
  });

  it("serves health checks and nothing else on --health-port", async (t) => {
    const dataDir = createFolder(t);
    const program = createPlace(t).work(["--health-port", "0", "server.mts"], { SVC_DATA_DIR: dataDir });
    const [, port] = await program.says(/Health checks at http:\/\/127\.0\.0\.1:(\d+)\//);
    const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
    const ready = await get("/api/health/ready");
    assert.deepEqual([ready.status, ((await ready.json()) as { status: string }).status], [200, "ready"]);
    assert.equal((await get("/api/health")).status, 200);
    assert.equal((await get("/api/cron/jobs")).status, 404);
    assert.equal((await get("/_/")).status, 404);
    // A worker needs the database for its jobs, even if the application has no tables.
    renameSync(join(dataDir, "annex.db"), join(dataDir, "away.db"));
    await eventually(async () => (await get("/api/health/ready")).status === 503);
  });

  it("says how to run beside a server on SQLite, and exits with 75", async (t) => {
    const { start, work } = createPlace(t);
    await start([]).says(/started "http/);
    const program = work(["server.mts"]);
    assert.deepEqual(await program.ended, [75, null]);
    assert.match(program.stderr, /in use by process \d+\. .* use PostgreSQL \(SVC_DATABASE_URL\)/);
  });

  it("shares PostgreSQL with a server that only serves", async (t) => {
    const { url, drop } = await createTestDatabase();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    t.after(async () => {
      await client.end();
      await drop();
    });
    const { start, work } = createPlace(t);
    const env = { SVC_DATABASE_URL: url };
    const web = start(["--run"], { ...env, SVC_INSTANCE: "web" });
    await web.says(/INSTANCE_SERVES_ONLY|This instance does not run jobs/);
    const serving = start([], { ...env, SVC_INSTANCE: "serving" });
    await serving.says(/started "http/);
    const worker = work(["server.mts", "--run"], { ...env, SVC_INSTANCE: "worker" });
    await worker.says(/job begun/);
    const read = async () =>
      (await client.query("select name, runs_jobs from annex_cron_instances where name <> 'web'")).rows;
    const rows = await until("both have leases", read, ({ length }) => length === 2);
    assert.deepEqual(Object.fromEntries(rows.map(({ name, runs_jobs }) => [name, Number(runs_jobs)])), {
      serving: 0,
      worker: 1,
    });
    const runs = await client.query(
      "select distinct instance_name from annex_cron_runs where job_id = 'job'",
    );
    assert.deepEqual(runs.rows, [{ instance_name: "worker" }]);
  });

  it("fails if the program does not start an application", async (t) => {
    const program = createPlace(t, "console.log('nothing to do');").work(["server.mts"]);
    assert.deepEqual(await program.ended, [1, null]);
    assert.match(program.stderr, /server\.mts ended without calling app\.start\(\)/);
  });

  for (const [args, reason] of [
    [[], /Specify the application's entry file/],
    [["missing.ts"], /File not found: missing\.ts/],
    [["--health-port", "x", "server.mts"], /--health-port must be an integer from 0 to 65535/],
    [["--port", "1", "server.mts"], /Unknown option "--port"/],
  ] as const) {
    it(`refuses ${args.join(" ") || "no arguments"}`, async (t) => {
      const program = createPlace(t).work([...args]);
      assert.deepEqual(await program.ended, [64, null]);
      assert.match(program.stderr, reason);
    });
  }
});
