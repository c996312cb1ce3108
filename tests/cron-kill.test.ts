import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { until } from "../src/lib/testing/until.ts";
import { openDatabase } from "../src/storage/index.ts";
import { createFolder, startProgram, startSource } from "./support/program.ts";

/**
 * A real process on a real file whose clock runs 600 times as fast, so that a minute is a tenth of a second. Each job
 * writes a line of its own, past the store, for every run that really began.
 */
const program = `
  import { appendFileSync } from "node:fs";
  import { createCron, cronMigrations, cronOptions } from ${JSON.stringify(new URL("../src/features/cron/index.ts", import.meta.url).href)};
  import { createTestOptions } from ${JSON.stringify(new URL("../src/lib/testing/options.ts", import.meta.url).href)};
  import { openDatabase } from ${JSON.stringify(new URL("../src/storage/index.ts", import.meta.url).href)};
  const { FOLDER, BEGIN } = process.env;
  const speed = 600;
  const clock = {
    now: () => Date.UTC(2026, 0, 1) + (Date.now() - Number(BEGIN)) * speed,
    elapsed: () => performance.now() * speed,
    after(ms, callback) {
      const timer = setTimeout(callback, ms / speed);
      return () => clearTimeout(timer);
    },
  };
  const database = await openDatabase({ dataDir: FOLDER });
  await database.migrate([cronMigrations]);
  const quiet = () => {};
  const logger = { debug: quiet, info: quiet, warn: quiet, error: console.error };
  const cron = createCron({ database: async () => database, clock, logger, options: createTestOptions(cronOptions, { logRetentionHours: 1e9 }) });
  const note = (job) => (log) => appendFileSync(FOLDER + "/began.txt", [job, log.scheduledAt.getTime(), log.runId].join(" ") + "\\n");
  const register = (id, schedule, work, options) =>
    cron.jobs.registerJob(id, id, "", schedule, async (log) => {
      note(id)(log);
      await work(log);
    }, options);
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  register("quick", "* * * * *", () => {});
  register("slow", "* * * * *", () => pause(70));
  register("long", "*/5 * * * *", () => pause(5_000), { overlap: "allow" });
  register("queued", "*/2 * * * *", () => pause(150), { overlap: "queue" });
  register("catching", "* * * * *", () => {}, { catchUp: "once" });
  await cron.start();
  console.log("started");
`;

interface StoredRun {
  id: string;
  job_id: string;
  status: string;
}

const rounds = 20;
const runsPerRound = 10;

/** The runs that really began. */
function readBegun(folder: string): [job: string, tick: string, run: string][] {
  const file = join(folder, "began.txt");
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  // The last line may be incomplete.
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => line.split(" ") as [string, string, string]);
}

describe("a scheduler killed during runs", () => {
  it(`${rounds} times: no run is lost, none is shown as running, no tick is doubled`, async (t) => {
    const folder = createFolder(t);
    const env = { FOLDER: folder, BEGIN: `${Date.now()}` };
    let open: StoredRun[] = [];
    let interrupted = 0;
    for (let round = 0; round <= rounds; round++) {
      const running = startProgram(t, ["--input-type=module", "--eval", program], { env });
      await running.says(/started/);
      const runs = new Map((await readRuns(folder)).map((run) => [run.id, run.status]));
      for (const { id } of open) assert.equal(runs.get(id), "interrupted", `round ${round}`);
      interrupted += open.length;
      // By count and not by time: a slow machine begins fewer runs. The pause varies what is interrupted.
      const wanted = (round + 1) * runsPerRound;
      await until("more runs have begun", () => readBegun(folder).length >= wanted);
      await new Promise((resolve) => setTimeout(resolve, (round % 7) * 30));
      running.child.kill("SIGKILL");
      await running.ended;
      assert.equal(running.stderr, "");
      open = (await readRuns(folder)).filter(({ status }) => status === "running");
    }
    assert.ok(interrupted >= rounds, `only ${interrupted} runs were cut short`);

    const runs = await readRuns(folder);
    const ids = new Set(runs.map(({ id }) => id));
    const lines = readBegun(folder);
    assert.deepEqual(
      lines.filter(([, , run]) => !ids.has(run)),
      [],
      "every run that began is in the log",
    );
    const ticks = lines.map(([job, tick]) => `${job} ${tick}`);
    assert.deepEqual(
      ticks.filter((tick, index) => ticks.indexOf(tick) !== index),
      [],
      "no tick began twice",
    );
  });
});

describe("an application killed during a run", () => {
  it("shows the run as interrupted after the next start, with what it had written", async (t) => {
    const env = { SVC_DATA_DIR: createFolder(t), SVC_PORT: "0" };
    const source = `
      const app = annex.createApp();
      app.jobs.registerJob("long", "Long", "Takes its time", "0 0 1 1 *", async (log) => {
        log.info("working");
        await new Promise((resolve) => setTimeout(resolve, 60_000));
      });
      app.onServe(({ router }) => {
        router.post("/run", async (e) => e.json(200, await app.jobs.run("long")));
        router.get("/runs/{id}", async (e) => e.json(200, await app.jobs.findRun(e.pathValue("id"))));
        router.get("/job", async (e) => e.json(200, await app.jobs.find("long")));
      });
      const { url } = await app.start();
      process.stderr.write("up at " + url + "\\n");
    `;
    const read = async (url: string, init?: RequestInit) =>
      (await (await fetch(url, init)).json()) as Record<string, unknown>;
    const first = startSource(t, source, { env });
    const [, url] = await first.says(/up at (http:\S+)/);
    const { id } = await read(`${url}/run`, { method: "POST" });
    await until(
      "the run has written something",
      () => read(`${url}/runs/${id}`),
      ({ output }) => output !== "[]",
    );
    first.child.kill("SIGKILL");
    await first.ended;

    const next = startSource(t, source, { env });
    const [, nextUrl] = await next.says(/up at (http:\S+)/);
    const run = await read(`${nextUrl}/runs/${id}`);
    assert.equal(run.status, "interrupted");
    assert.match(run.output as string, /working.*the process ended during the run/);
    assert.equal((await read(`${nextUrl}/job`)).lastStatus, "interrupted");
    assert.equal((await fetch(`${nextUrl}/run`, { method: "POST" })).status, 200);
  });
});

async function readRuns(dataDir: string): Promise<StoredRun[]> {
  await using database = await openDatabase({ dataDir });
  const tables = database.tables<{ annex_cron_runs: StoredRun }>();
  const runs = await tables.selectFrom("annex_cron_runs").selectAll().execute();
  return runs;
}
