import assert from "node:assert/strict";
import { createServer, connect as openSocket, type Socket } from "node:net";
import { describe, it, type TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { until } from "../src/lib/testing/until.ts";
import { createTestDatabase } from "./support/postgres.ts";
import { createFolder, type Program, startSource } from "./support/program.ts";

/** What only real processes show: threads that a busy main thread cannot stop, kills, and connections that go silent. */

const source = `
  const app = annex.createApp({ log: { store: false } });
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  app.jobs.registerJob("block", "Block", "", "0 0 1 1 *", (log) => {
    log.info("begin");
    // Blocks the thread without using the processor.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20_000);
    log.info("end");
  });
  app.jobs.registerJob("sleep", "Sleep", "", "0 0 1 1 *", () => pause(Number(process.env.SLEEP_MS)));
  app.jobs.registerJob("forever", "Forever", "", "0 0 1 1 *", ({ signal }) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))));
  const { url } = await app.start();
  console.error("listening at " + url);
  if (process.env.RUN) await app.jobs.run(process.env.RUN).catch((error) => console.error(error));
`;

interface Fleet {
  readonly url: string;
  start(name: string, env?: Record<string, string>): Program;
  /** Everything that the status of a run has been, until it is one of these. */
  follow(runId: string, last: string): Promise<{ statuses: Set<string>; output: string; instance: string }>;
}

async function createFleet(t: TestContext): Promise<Fleet> {
  const { url, drop } = await createTestDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  t.after(async () => {
    await client.end();
    await drop();
  });
  return {
    url,
    start: (name, env = {}) =>
      startSource(t, source, {
        env: {
          SVC_DATABASE_URL: url,
          SVC_DATA_DIR: createFolder(t),
          SVC_PORT: "0",
          SVC_INSTANCE: name,
          SVC_HEALTH_READY_NEEDS: "everything",
          ...env,
        },
      }),
    async follow(runId, last) {
      const statuses = new Set<string>();
      const read = async () => {
        const { rows } = await client.query(
          "select status, output, instance_name from annex_cron_runs where id = $1",
          [runId],
        );
        statuses.add(rows[0].status);
        return rows[0];
      };
      const row = await until(`the run is ${last}`, read, ({ status }) => status === last);
      return { statuses, output: row.output, instance: row.instance_name };
    },
  };
}

/** A proxy whose connections can fall silent, as behind a firewall that drops packets. */
async function createSilentProxy(t: TestContext, url: string) {
  const target = new URL(url);
  const pairs = new Set<{ isSilent: boolean; sockets: Socket[] }>();
  let isDown = false;
  const server = createServer((client) => {
    const upstream = openSocket(Number(target.port), target.hostname);
    const pair = { isSilent: isDown, sockets: [client, upstream] };
    pairs.add(pair);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on("data", (chunk) => void (pair.isSilent || to.write(chunk)));
      from.on("close", () => void (pair.isSilent || to.destroy()));
      from.on("error", () => {});
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    for (const { sockets } of pairs) for (const socket of sockets) socket.destroy();
    server.close();
  });
  const own = new URL(url);
  own.port = String((server.address() as { port: number }).port);
  own.hostname = "127.0.0.1";
  return {
    url: own.href,
    /** Silences the connections that are open now. */
    silence() {
      for (const pair of pairs) pair.isSilent = true;
    },
    /** Silences new connections as well. */
    setDown(is: boolean) {
      isDown = is;
      if (is) for (const pair of pairs) pair.isSilent = true;
    },
  };
}

const readyOf = async (url: string) => (await fetch(`${url}/api/health/ready`)).json() as Promise<object>;
const urlOf = async (program: Program) => (await program.says(/listening at (http:\/\/[\w.:]+)/))[1]!;
/** From the log: a blocked event loop returns no result. */
const runOf = async (program: Program) => (await program.says(/"run_id":"(\w+)"/))[1]!;

describe("a fleet of processes", { concurrency: true }, () => {
  it("does not give up an instance whose event loop is blocked for longer than a lease", async (t) => {
    const fleet = await createFleet(t);
    await urlOf(fleet.start("watcher"));
    const blocked = fleet.start("blocked", { RUN: "block" });
    const { statuses, output, instance } = await fleet.follow(await runOf(blocked), "success");
    assert.deepEqual([...statuses], ["running", "success"]);
    assert.match(output, /begin.*end/);
    assert.equal(instance, "blocked");
    assert.doesNotMatch(blocked.stdout, /No heartbeat/);
  });

  it("gives up the runs of an instance that was killed", async (t) => {
    const fleet = await createFleet(t);
    await urlOf(fleet.start("watcher"));
    const victim = fleet.start("victim", { RUN: "forever" });
    const id = await runOf(victim);
    victim.child.kill("SIGKILL");
    const { output } = await fleet.follow(id, "interrupted");
    assert.match(output, /no heartbeat from the instance for 15 s/);
  });

  it("keeps an instance whose connections went silent, because it opens new ones in time", async (t) => {
    const fleet = await createFleet(t);
    const proxy = await createSilentProxy(t, fleet.url);
    await urlOf(fleet.start("watcher"));
    const env = { SVC_DATABASE_URL: proxy.url, RUN: "sleep", SLEEP_MS: "25000" };
    const instance = fleet.start("silenced", env);
    const id = await runOf(instance);
    await delay(2_000);
    proxy.silence();
    const { statuses } = await fleet.follow(id, "success");
    assert.deepEqual([...statuses], ["running", "success"]);
    assert.doesNotMatch(instance.stdout, /No heartbeat/);
  });

  it("fences an instance that cannot reach the database, and takes it back", async (t) => {
    const fleet = await createFleet(t);
    const proxy = await createSilentProxy(t, fleet.url);
    const watcher = await urlOf(fleet.start("watcher"));
    const instance = fleet.start("cut-off", { SVC_DATABASE_URL: proxy.url, RUN: "forever" });
    const url = await urlOf(instance);
    const id = await runOf(instance);
    proxy.setDown(true);
    await instance.says(/No heartbeat for 9 s: running jobs are aborted/);
    assert.partialDeepStrictEqual(await readyOf(url), { status: "unavailable" });
    await fleet.follow(id, "interrupted");
    assert.partialDeepStrictEqual(await readyOf(watcher), { status: "ready" });
    proxy.setDown(false);
    await instance.says(/The heartbeat is back/);
    await until(
      "ready again",
      () => readyOf(url),
      (ready) => (ready as { status: string }).status === "ready",
    );
  });
});
