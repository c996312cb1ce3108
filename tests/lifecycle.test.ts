import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, it } from "node:test";
import BetterSqlite3 from "better-sqlite3";
import { until } from "../src/lib/testing/until.ts";
import { createFolder, startSource } from "./support/program.ts";

/** An application as people write one, that tells when it is up. */
const application = `
  const app = annex.createApp({ port: Number(process.env.PORT ?? 0) });
  app.onTerminate((e) => process.stderr.write("terminating " + e.isRestart + "\\n"));
  app.onServe(({ router }) => {
    router.get("/slow", async (e) => {
      const released = new Promise((resolve) => process.once("SIGUSR2", resolve));
      process.stderr.write("entered\\n");
      await released;
      return e.text(200, "done");
    });
    router.get("/stuck", () => {
      process.stderr.write("entered\\n");
      return new Promise(() => {});
    });
    router.get("/left-behind", (e) => {
      setTimeout(() => { throw new Error("nobody waits for this"); });
      return e.text(200, "fine");
    });
    router.get("/crash", (e) => {
      e.app.crash();
      return e.text(200, "bye");
    });
  });
  app.crash = () => outside.emit("now");
  const { EventEmitter } = await import("node:events");
  const outside = new EventEmitter();
  const { AsyncResource } = await import("node:async_hooks");
  outside.on("now", AsyncResource.bind(() => setTimeout(() => { throw new Error("the program itself is broken"); })));
  const { url } = await app.start();
  process.stderr.write("up at " + url + "\\n");
`;

const up = /up at (http:\S+)/;

function records(stdout: string): Record<string, unknown>[] {
  return stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** How process managers ask a process to stop: by a signal, or by a message on systems without signals. */
const waysToStop = ["SIGTERM", "SIGINT", "message"] as const;

describe("a program", () => {
  for (const way of waysToStop) {
    it(`on ${way} finishes what is in flight, writes everything out and ends with 0`, async (t) => {
      const env = { SVC_DATA_DIR: createFolder(t) };
      const program = startSource(t, application, { env, ipc: true });
      const [, url] = await program.says(up);
      const response = fetch(`${url}/slow`);
      await program.says(/entered/);
      if (way === "message") program.child.send("shutdown");
      else program.child.kill(way);
      await new Promise(setImmediate);
      program.child.kill("SIGUSR2");
      assert.equal(await (await response).text(), "done");
      assert.deepEqual(await program.ended, [0, null]);
      assert.match(program.stderr, /terminating false/);
      const [start, request, stop] = records(program.stdout);
      assert.equal(start!.event, "app_startup");
      assert.equal(request!.path, "/slow");
      assert.partialDeepStrictEqual(stop, { event: "app_shutdown", is_restart: false, total_requests: 1 });
    });
  }

  it("does not load the client of fetch, which it does not use", async (t) => {
    const program = startSource(
      t,
      `const app = annex.createApp({ port: 0, dataDir: ${JSON.stringify(createFolder(t))}, dev: false });
      await app.start();
      await app.inject({ url: "/api/health" });
      await app.stop();
      console.log("loaded:", process.moduleLoadList.filter((name) => / http$|undici$/.test(name)).join());`,
    );
    const [, loaded] = await program.says(/loaded: (.*)/);
    assert.equal(loaded, "NativeModule http");
  });

  it("with many applications stops all of them, and writes no warning", async (t) => {
    // Node warns about more than ten listeners.
    const count = 11;
    const program = startSource(
      t,
      `const apps = Array.from({ length: ${count} }, (_, index) => annex.createApp({
        port: 0, dataDir: ${JSON.stringify(createFolder(t))} + "/" + index, dev: false,
      }));
      // The first one is the fastest to stop.
      for (const [index, app] of apps.entries())
        app.onTerminate(() => new Promise((resolve) => setTimeout(resolve, index * 50)));
      await Promise.all(apps.map((app) => app.start()));
      process.stderr.write("up\\n");`,
    );
    await program.says(/^up$/m);
    program.child.kill("SIGTERM");
    assert.deepEqual(await program.ended, [0, null]);
    assert.doesNotMatch(program.stderr, /Warning/);
    const stops = records(program.stdout).filter(({ event }) => event === "app_shutdown");
    assert.equal(stops.length, count);
  });

  it("ends at once on a second signal", async (t) => {
    const program = startSource(t, application, { env: { SVC_DATA_DIR: createFolder(t) } });
    const [, url] = await program.says(up);
    fetch(`${url}/stuck`).catch(() => {});
    await program.says(/entered/);
    program.child.kill("SIGTERM");
    // The first signal has been taken when the listener is closed.
    await until("the listener is closed", () =>
      fetch(`${url}/api/health`).then(
        () => false,
        () => true,
      ),
    );
    program.child.kill("SIGTERM");
    assert.deepEqual(await program.ended, [143, null]);
  });

  it("continues after an error in background work of a handler", async (t) => {
    const program = startSource(t, application, { env: { SVC_DATA_DIR: createFolder(t) } });
    const [, url] = await program.says(up);
    const response = await fetch(`${url}/left-behind`);
    await program.says(/nobody waits for this/);
    assert.equal((await fetch(`${url}/api/health`)).status, 200);
    const record = records(program.stdout).find(({ event }) => event === "error");
    assert.equal(record!.trace_id, response.headers.get("x-trace-id"));
  });

  it("ends on an error that belongs to no request, with the log written and code 1", async (t) => {
    const program = startSource(t, application, { env: { SVC_DATA_DIR: createFolder(t) } });
    const [, url] = await program.says(up);
    await fetch(`${url}/crash`).catch(() => {});
    assert.deepEqual(await program.ended, [1, null]);
    assert.match(program.stderr, /Error: the program itself is broken\n\s+at /);
    assert.match(JSON.stringify(records(program.stdout)), /Uncaught error; the process exits/);
  });
});

describe("a program that cannot start says why in one sentence", () => {
  const scenarios: {
    what: string;
    env: (folder: string) => Record<string, string>;
    code: number;
    says: RegExp;
  }[] = [
    {
      what: "a wrong option",
      env: () => ({ SVC_LOG_LEVEL: "loud" }),
      code: 78,
      says: /^annex: Invalid value for environment variable SVC_LOG_LEVEL: expected one of debug, info, warn, error, or -4, 0, 4, 8, got "loud"\.\n$/,
    },
    {
      what: "a data folder that cannot be made",
      env: () => ({ SVC_DATA_DIR: "/dev/null/data" }),
      code: 73,
      says: /^annex: The data folder \/dev\/null\/data cannot be used: .*\n$/,
    },
    {
      what: "a file that is no database",
      env: (folder) => {
        writeFileSync(join(folder, "annex.db"), "this is not a database, whatever its name says".repeat(100));
        return { SVC_DATA_DIR: folder };
      },
      code: 65,
      says: /^annex: The file .*annex\.db is damaged or not a SQLite database\. .*\n$/,
    },
    {
      what: "a PostgreSQL that is not there",
      env: () => ({
        SVC_DATABASE_URL: "postgres://me:hunter2@127.0.0.1:1/app",
        SVC_DATABASE_WAIT_MS: "0",
      }),
      code: 69,
      says: /^(?![\s\S]*hunter2)annex: The PostgreSQL database at 127\.0\.0\.1:1\/app cannot be reached: .*\n$/,
    },
    {
      what: "a log file that cannot be written",
      env: (folder) => ({ SVC_LOG_FILE: join(folder, "annex.lock", "x"), SVC_DATA_DIR: folder, TOUCH: "1" }),
      code: 78,
      says: /^annex: Failed to open the log file ".*" \(.*\)\. Change SVC_LOG_FILE.*\n$/,
    },
  ];
  for (const { what, env, code, says } of scenarios) {
    it(what, async (t) => {
      const folder = createFolder(t);
      if (what.includes("log file")) writeFileSync(join(folder, "annex.lock"), "");
      const program = startSource(t, application, { env: { SVC_DATA_DIR: folder, ...env(folder) } });
      assert.deepEqual(await program.ended, [code, null]);
      assert.match(program.stderr, says);
    });
  }

  it("a port in use", async (t) => {
    const server = createServer().listen(0, "127.0.0.1");
    t.after(() => server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const program = startSource(t, application, {
      env: { SVC_DATA_DIR: createFolder(t), PORT: String(port) },
    });
    assert.deepEqual(await program.ended, [69, null]);
    assert.match(
      program.stderr,
      new RegExp(`^annex: Port ${port} on 127\\.0\\.0\\.1 is in use by another program\\. .*\\n$`),
    );
  });

  it("a database that a newer release has written", async (t) => {
    const SVC_DATA_DIR = createFolder(t);
    const first = startSource(t, application, { env: { SVC_DATA_DIR } });
    await first.says(up);
    first.child.kill("SIGTERM");
    await first.ended;
    const database = new BetterSqlite3(join(SVC_DATA_DIR, "annex.db"));
    database
      .prepare(
        "insert into annex_migrations select 'auth/999-tomorrow', executed_at from annex_migrations limit 1",
      )
      .run();
    database.close();
    const second = startSource(t, application, { env: { SVC_DATA_DIR } });
    assert.deepEqual(await second.ended, [65, null]);
    assert.match(
      second.stderr,
      /^annex: The database was migrated by a newer release \(migration "auth\/999-tomorrow"\)\. .*\n$/,
    );
  });

  it("two processes on one data folder", async (t) => {
    const SVC_DATA_DIR = createFolder(t);
    const first = startSource(t, application, { env: { SVC_DATA_DIR } });
    await first.says(up);
    const second = startSource(t, application, { env: { SVC_DATA_DIR } });
    assert.deepEqual(await second.ended, [75, null]);
    assert.match(
      second.stderr,
      new RegExp(`^annex: The data folder .* is in use by process ${first.child.pid}\\. .*\\n$`),
    );
    first.child.kill("SIGKILL");
    await first.ended;
    const third = startSource(t, application, { env: { SVC_DATA_DIR } });
    await third.says(up);
  });
});
