import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { after, before, describe, it, type TestContext } from "node:test";
import { createTestApp } from "../src/app/testing/test-app.ts";
import { setWorkerMode } from "../src/app/worker/worker.ts";
import type { App, AppOptions } from "../src/index.ts";
import { StartError } from "../src/lib/errors/start-error.ts";
import { settles } from "../src/lib/testing/until.ts";
import { type CutKind, type CuttingProxy, startCuttingProxy } from "./support/cutting-proxy.ts";
import { createTestDatabase, type TestDatabase } from "./support/postgres.ts";
import { createFolder, type Program, startProgram, startSource } from "./support/program.ts";

const annex = resolve(import.meta.dirname, "../src/index.ts");
const bin = resolve(import.meta.dirname, "../src/cli/bin.ts");
/** Starts at the same time. Most of their duration is the wait of an outage. */
const concurrency = 4;
const longMs = 180_000;
const waiting = /Waiting for the database\. The PostgreSQL database at [^ ]+ cannot be reached/;

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
  const { app, started } = begin(database.url, "start");
  await settles("the application starts", started);
  // Without a superuser, each start would print a link.
  await app.superusers.create("ada@example.com", "correct horse battery staple");
  await app.stop();
});
after(() => database.drop());

type Way = "start" | "attach" | "worker" | "inject";
const ways: Readonly<Record<Way, (app: App) => Promise<unknown>>> = {
  start: (app) => app.start(),
  attach: (app) => app.attach(createServer()),
  worker: (app) => app.start(),
  inject: (app) => app.inject({ method: "GET", url: "/api/health" }),
};

/** The mode is read when the application is created and when it starts, both synchronously. */
function begin(url: string, way: Way, options: AppOptions = {}): { app: App; started: Promise<unknown> } {
  if (way === "worker") setWorkerMode({ healthPort: undefined, onStart() {} });
  try {
    const app = createTestApp({ after: () => {} }, { database: url, databaseWaitMs: longMs, ...options });
    app.jobs.registerJob("yearly", "Yearly", "", "0 0 1 1 *", () => {}, { catchUp: "once" });
    return { app, started: ways[way](app) };
  } finally {
    Reflect.deleteProperty(globalThis, Symbol.for("annex.worker"));
  }
}

/** Starts an application through the proxy, and stops it. Returns whether the connections were lost before it ran. */
async function startThrough(proxy: CuttingProxy, way: Way, options?: AppOptions): Promise<boolean> {
  const { app, started } = begin(proxy.url, way, options);
  try {
    await settles(`the application starts (${way})`, started);
    return proxy.hasCut;
  } finally {
    proxy.recover();
    await settles("the application stops", app.stop());
    proxy.close();
  }
}

/** Tries the messages of a start in turn, until a start is complete before the one that is cut. Returns their number. */
async function cutEach(step: number, attempt: (after: number) => Promise<boolean>): Promise<number> {
  let next = 0;
  let cuts = 0;
  let isComplete = false;
  const tryNext = async () => {
    while (!isComplete) {
      const position = next;
      next += step;
      if (await attempt(position)) cuts++;
      else isComplete = true;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, tryNext));
  return cuts;
}

describe("a start that loses its connections", () => {
  const cases: [way: Way, kinds: readonly CutKind[], step: number][] = [
    ["start", ["fatal"], 1],
    ["start", ["reset"], 1],
    ["attach", ["fatal", "reset"], 5],
    ["worker", ["reset", "fatal"], 5],
    ["inject", ["fatal", "reset"], 5],
  ];
  for (const [way, kinds, step] of cases) {
    it(`waits at each message and completes: ${way}, ${kinds.join(" and ")}`, async (t) => {
      const cuts = await cutEach(step, async (after) => {
        const kind = kinds[after % kinds.length]!;
        const proxy = await startCuttingProxy(t, database.url, { after, kind });
        return startThrough(proxy, way).catch((cause) => {
          throw new Error(`${way} failed after message ${after} (${kind})`, { cause });
        });
      });
      t.diagnostic(`${cuts} messages`);
      assert.ok(cuts * step >= 12, `only ${cuts} messages`);
    });
  }

  it("waits at each message of a first start, whose migrations are rolled back", async (t) => {
    const positions = [1, 9, 30, 70, 110];
    for (const [index, after] of positions.entries()) {
      const empty = await createTestDatabase();
      t.after(() => empty.drop());
      const kind = index % 2 === 0 ? "fatal" : "reset";
      const proxy = await startCuttingProxy(t, empty.url, { after, kind });
      assert.equal(await startThrough(proxy, "start"), true, `message ${after}`);
    }
  });

  it("fails with one sentence if the database stays away", async (t) => {
    const cuts = await cutEach(3, async (after) => {
      const kind = after % 2 === 0 ? "fatal" : "reset";
      const refusals = Number.POSITIVE_INFINITY;
      const proxy = await startCuttingProxy(t, database.url, { after, kind, refusals });
      try {
        return await startThrough(proxy, "start", { databaseWaitMs: 1 });
      } catch (error) {
        assert.ok(error instanceof StartError, `message ${after}: ${error}`);
        assert.equal(error.code, "DATABASE_UNREACHABLE");
        assert.match(error.message, /^The PostgreSQL database at [^ ]+ cannot be reached: .+\.$/);
        return true;
      }
    });
    assert.ok(cuts >= 5, `only ${cuts} messages`);
  });
});

const programs = {
  start: `await app.start();`,
  attach: `await app.attach(createServer());`,
  worker: `await app.start();`,
};

/** Messages while the thread of the heartbeat starts, when nothing else keeps the process running. */
const cuts: Readonly<Record<keyof typeof programs, [after: number, kind: CutKind]>> = {
  start: [5, "fatal"],
  attach: [6, "reset"],
  worker: [6, "fatal"],
};

/** Runs a program that starts and then exits with 0. */
function run(t: TestContext, way: keyof typeof programs, env: Record<string, string>): Program {
  const folder = createFolder(t);
  const entry = join(folder, "server.mts");
  const lines = [
    `import { createServer } from "node:http";`,
    `import { createApp } from ${JSON.stringify(annex)};`,
    `const app = createApp({ signals: ${way !== "attach"} });`,
    `app.jobs.registerJob("yearly", "Yearly", "", "0 0 1 1 *", () => {});`,
    `try { ${programs[way]} } finally { process.stdout.write("settled\\n"); }`,
    `process.exit(0);`,
  ];
  writeFileSync(entry, lines.join("\n"));
  const args = way === "worker" ? [bin, "worker", entry] : [entry];
  return startProgram(t, args, {
    cwd: folder,
    env: { SVC_PORT: "0", SVC_DATA_DIR: folder, SVC_DATABASE_WAIT_MS: `${longMs}`, ...env },
  });
}

describe("a program that awaits a start", () => {
  for (const way of ["start", "attach", "worker"] as const) {
    it(`is not ended by an empty event loop: ${way}`, async (t) => {
      const env = { SVC_DATABASE_URL: database.url, SVC_DATABASE_IDLE_TIMEOUT_MS: "1" };
      const program = run(t, way, env);
      assert.deepEqual(await program.ended, [0, null], program.stderr);
      assert.match(program.stdout, /^settled$/m);
    });

    it(`waits for lost connections: ${way}`, async (t) => {
      const [after, kind] = cuts[way];
      const proxy = await startCuttingProxy(t, database.url, { after, kind, refusals: 4 });
      const program = run(t, way, { SVC_DATABASE_URL: proxy.url });
      assert.deepEqual(await program.ended, [0, null], program.stderr);
      assert.equal(proxy.hasCut, true);
      assert.match(program.stdout + program.stderr, waiting);
    });

    it(`exits with 69 and a sentence if they do not come back: ${way}`, async (t) => {
      const refusals = Number.POSITIVE_INFINITY;
      const proxy = await startCuttingProxy(t, database.url, { after: 6, kind: "fatal", refusals });
      const program = run(t, way, { SVC_DATABASE_URL: proxy.url, SVC_DATABASE_WAIT_MS: "1500" });
      assert.deepEqual(await program.ended, [69, null]);
      assert.match(program.stdout, /^settled$/m);
      assert.match(
        program.stderr.trimEnd().split("\n").at(-1)!,
        /^annex: The PostgreSQL database at .* cannot be reached: /,
      );
    });
  }

  const stops: readonly (readonly [
    name: string,
    call: string,
    end: readonly [number | null, string | null],
    bin?: readonly string[],
  ])[] = [
    ["with its port open", "app.start()", [0, null]],
    ["on the server of an application", "app.attach(createServer())", [null, "SIGTERM"]],
    ["in a worker that would attach", "app.attach(createServer())", [0, null], [bin, "worker"]],
  ];
  for (const [name, call, end, command = []] of stops) {
    it(`stops gracefully with SIGTERM while it waits ${name}`, async (t) => {
      const refusals = Number.POSITIVE_INFINITY;
      const proxy = await startCuttingProxy(t, database.url, { refusals });
      const folder = createFolder(t);
      const source = `
        import { existsSync } from "node:fs";
        import { createServer } from "node:http";
        import { createApp } from ${JSON.stringify(annex)};
        const app = createApp({ port: 0 });
        app.onServe(async () => {
          console.log("prepared");
          while (!existsSync("continue")) await new Promise((resolve) => setTimeout(resolve, 20));
        });
        app.onTerminate(() => console.log("terminated"));
        await ${call};`;
      const entry = join(folder, "main.mts");
      writeFileSync(entry, source);
      const env = { SVC_DATABASE_URL: proxy.url, SVC_DATA_DIR: folder, SVC_DATABASE_WAIT_MS: `${longMs}` };
      const program = startProgram(t, [...command, entry], { cwd: folder, env });
      await program.says(/prepared/);
      proxy.cut();
      writeFileSync(join(folder, "continue"), "");
      await program.says(waiting);
      program.child.kill("SIGTERM");
      assert.deepEqual(await program.ended, end, program.stderr);
      assert.match(program.stdout, /terminated/);
    });
  }

  it("leaves signals to the application that it is attached to", async (t) => {
    const refusals = Number.POSITIVE_INFINITY;
    const proxy = await startCuttingProxy(t, database.url, { after: 3, refusals });
    const source = `
      import { createServer } from "node:http";
      process.on("SIGTERM", () => setTimeout(() => process.exit(7), 100));
      await annex.createApp().attach(createServer());`;
    const env = { SVC_DATABASE_URL: proxy.url, SVC_DATA_DIR: createFolder(t) };
    const program = startSource(t, source, { env: { ...env, SVC_DATABASE_WAIT_MS: `${longMs}` } });
    await program.says(waiting);
    program.child.kill("SIGTERM");
    assert.deepEqual(await program.ended, [7, null], program.stderr);
  });

  it("is not ended while it awaits other operations before a start", async (t) => {
    const source = `
      const operations = [
        (app) => app.jobs.list(),
        (app) => app.logs.search(),
        (app) => app.superusers.list(),
        (app) => app.database(),
        (app) => app.inject({ method: "GET", url: "/api/health" }),
      ];
      for (const [index, operation] of operations.entries()) {
        const app = annex.createApp();
        await operation(app);
        console.log("done", index);
        await app.stop();
      }`;
    const env = {
      SVC_DATABASE_URL: database.url,
      SVC_DATABASE_IDLE_TIMEOUT_MS: "1",
      SVC_DATA_DIR: createFolder(t),
    };
    const program = startSource(t, source, { env });
    assert.deepEqual(await program.ended, [0, null], program.stderr);
    assert.match(program.stdout, /^done 4$/m);
  });
});
