import assert from "node:assert/strict";
import { createServer } from "node:http";
import { resolve } from "node:path";
import { after, before, describe, it, type TestContext } from "node:test";
import { createTestApp } from "../src/app/testing/test-app.ts";
import { setWorkerMode } from "../src/app/worker/worker.ts";
import type { App, AppOptions } from "../src/index.ts";
import { StartError } from "../src/lib/errors/start-error.ts";
import { settles } from "../src/lib/testing/until.ts";
import { type CutKind, type CuttingProxy, startCuttingProxy } from "./support/cutting-proxy.ts";
import { createTestDatabase, type TestDatabase } from "./support/postgres.ts";
import { createFolder, startProgram } from "./support/program.ts";

const annex = resolve(import.meta.dirname, "../src/index.ts");
const bin = resolve(import.meta.dirname, "../src/cli/bin.ts");
/** Starts at the same time. Most of their duration is the wait of an outage. */
const concurrency = 4;
const longMs = 180_000;

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
    ["attach", ["fatal", "reset"], 3],
    ["worker", ["reset", "fatal"], 3],
    ["inject", ["fatal", "reset"], 4],
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
});
