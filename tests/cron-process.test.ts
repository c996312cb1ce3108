import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTestApp } from "../src/app/testing/test-app.ts";
import { createFolder, startSource } from "./support/program.ts";

/** What only a real process shows: timers that hold nothing, signals, errors that nobody caught. */
describe("a process with jobs", () => {
  it("on SIGTERM gives a run its time, although nothing else holds the process, and writes how it ended", async (t) => {
    const env = { SVC_DATA_DIR: createFolder(t), SVC_PORT: "0", SVC_SHUTDOWN_GRACE_MS: "700" };
    const program = startSource(
      t,
      `
      const app = annex.createApp({ log: { store: false } });
      app.jobs.registerJob("deaf", "Deaf", "", "0 0 1 1 *", () => new Promise(() => {}));
      app.onTerminate(() => console.error("terminated"));
      await app.start();
      const { id } = await app.jobs.run("deaf");
      console.error("run " + id);
    `,
      { env },
    );
    const [, id] = await program.says(/run (\w+)/);
    program.child.kill("SIGTERM");
    assert.deepEqual(await program.ended, [0, null]);
    assert.match(program.stderr, /terminated/);
    assert.match(program.stdout, /app_shutdown/);

    const app = createTestApp(t, { dataDir: env.SVC_DATA_DIR });
    const { status, output } = await app.jobs.findRun(id!);
    assert.equal(status, "interrupted");
    assert.match(output, /the application was stopped/);
  });

  it("continues when background work of a job fails, and the run has failed", async (t) => {
    const program = startSource(
      t,
      `
      const app = annex.createApp();
      app.jobs.registerJob("careless", "Careless", "", "0 0 1 1 *", async (log) => {
        setTimeout(() => { throw new Error("in a timer"); }, 5);
        Promise.reject(new Error("left alone"));
        await new Promise((resolve) => setTimeout(resolve, 50));
      });
      await app.start();
      const { id } = await app.jobs.run("careless");
      while ((await app.jobs.findRun(id)).status === "running") await new Promise((resolve) => setTimeout(resolve, 10));
      console.error("ended " + JSON.stringify(await app.jobs.findRun(id)));
    `,
      { env: { SVC_DATA_DIR: createFolder(t), SVC_PORT: "0" } },
    );
    const [, json] = await program.says(/ended (\{.*\})/);
    const run = JSON.parse(json!) as Record<string, string>;
    assert.equal(run.status, "failed");
    assert.match(run.output!, /left alone.*in a timer/);
    await program.says(new RegExp(`"trace_id":"${run.traceId}".*background work of job`));
  });

  it("whose start fails after the port was opened closes it again", async (t) => {
    const app = createTestApp(t, { port: 0 });
    let url = "";
    app.onServe(async () => {
      const tables = (await app.database()).tables();
      await tables.schema.dropTable("annex_cron_settings").execute();
    });
    const { listen } = await import("node:net").then(({ Server }) => Server.prototype);
    t.mock.method(
      (await import("node:net")).Server.prototype,
      "listen",
      function (this: never, ...args: never[]) {
        const server = Reflect.apply(listen, this, args) as import("node:net").Server;
        server.once("listening", () => {
          const address = server.address();
          if (typeof address === "object") url = `http://127.0.0.1:${address?.port}`;
        });
        return server;
      },
    );
    await assert.rejects(app.start(), /annex_cron_settings/);
    assert.match(url, /:\d+$/);
    await assert.rejects(fetch(`${url}/api/health`));
  });

  it("that was stopped does not start again, and leaves the folder to others", async (t) => {
    const app = createTestApp(t);
    await app.stop();
    await assert.rejects(app.start(), /has been stopped/);
    await createTestApp(t, { dataDir: app.dataDir }).start();
  });
});
