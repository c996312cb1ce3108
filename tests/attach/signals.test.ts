import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { createTestApp } from "../../src/app/testing/test-app.ts";
import type { RouteTable } from "../../src/features/metrics/wire.ts";
import type { VisitorStats } from "../../src/features/visitors/wire.ts";
import type { App } from "../../src/index.ts";
import { until } from "../../src/lib/testing/until.ts";
import { createFolder, startProgram } from "../support/program.ts";

const serving = fileURLToPath(new URL("programs/serving.ts", import.meta.url));
const connections = 4;
const perConnection = 200;
const requests = connections * perConnection;
const agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

async function start(t: TestContext, framework: string, handler = "none") {
  const dataDir = createFolder(t);
  const env = { DATA: dataDir, NODE_ENV: "production" };
  const program = startProgram(t, [serving, framework, handler], { env, ipc: true });
  const [, url] = await program.says(/up at (http:\S+)/);
  return { program, dataDir, url: url! };
}

/** Requests pages on a few connections until the server is gone. Collects the trace IDs of the responses. */
async function load(url: string, traces: string[]): Promise<void> {
  const request = async (name: number) => {
    for (let count = 0; count < perConnection; count++) {
      try {
        const response = await fetch(`${url}/page/${name}-${count}`, { headers: { "user-agent": agent } });
        await response.text();
        traces.push(response.headers.get("x-trace-id")!);
      } catch {
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, name) => request(name)));
}

/** The records of requests for pages in the log file. */
function readLogFile(dataDir: string): Set<string> {
  const lines = readFileSync(join(dataDir, "app.log"), "utf8").split("\n").slice(0, -1);
  const records = lines.map((line) => JSON.parse(line) as { trace_id: string; path?: string });
  return new Set(records.filter(({ path }) => path?.startsWith("/page/")).map(({ trace_id }) => trace_id));
}

async function readStoredLogs(app: App): Promise<Set<string>> {
  const traces = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await app.logs.search({ limit: 1000, text: "/page/", ...(cursor && { cursor }) });
    for (const { trace_id } of page.items) traces.add(trace_id as string);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return traces;
}

/** What the metrics and the visitor statistics have stored about pages. */
async function readCounts(app: App) {
  const ada = { identity: "ada@example.com", password: "correct horse battery" };
  await app.superusers.create(ada.identity, ada.password);
  const login = await app.inject({
    method: "POST",
    url: "/api/collections/_superusers/auth-with-password",
    body: ada,
  });
  const headers = { authorization: `Bearer ${login.json<{ token: string }>().token}` };
  const { routes } = (await app.inject({ url: "/_/_/data/routes", headers })).json<RouteTable>();
  const visitors = (await app.inject({ url: "/_/_/data/visitors", headers })).json<VisitorStats>();
  const pages = routes.filter(({ route }) => !route.includes("/api/"));
  return {
    requests: pages.reduce((sum, { count }) => sum + count, 0),
    views: visitors.enabled ? visitors.totals.views : 0,
  };
}

interface Case {
  readonly framework: string;
  readonly handler?: string;
  readonly signal?: NodeJS.Signals;
  /** Default: by the signal. */
  readonly code?: number;
}

describe("a signal under load loses no record of a response", () => {
  const cases: Case[] = [
    { framework: "own", code: 0 },
    { framework: "express" },
    { framework: "fastify", signal: "SIGINT" },
    { framework: "express", handler: "close", code: 0 },
    { framework: "express-server", handler: "close", code: 0 },
    { framework: "fastify", handler: "close", code: 0 },
    { framework: "nest" },
    { framework: "node", handler: "once", code: 0 },
    { framework: "node", handler: "signal-exit" },
    { framework: "express", handler: "another" },
  ];
  for (const { framework, handler = "none", signal = "SIGTERM", code } of cases) {
    const end = code === undefined ? "which ends the process" : `with exit code ${code}`;
    it(`${framework}, handler: ${handler}, ${signal}, ${end}`, async (t) => {
      const { program, dataDir, traces } = await endUnderLoad(t, framework, handler, signal);
      assert.deepEqual(await program.ended, code === undefined ? [null, signal] : [code, null]);
      if (handler === "signal-exit") assert.match(program.stdout, /the exit callback runs/);
      const app = createTestApp(t, { dataDir, logLevel: "error" });
      const stored = await readStoredLogs(app);
      assert.deepEqual(missing(traces, readLogFile(dataDir)), []);
      assert.deepEqual(missing(traces, stored), []);
      // Some clients may have gone before they got their response, and are not counted as views.
      const { requests, views } = await readCounts(app);
      assert.equal(requests, stored.size);
      assert.ok(views >= traces.length && views <= requests, `${views} views of ${traces.length} pages`);
    });
  }

  it("express, the message of a process manager, with exit code 0", async (t) => {
    const { program, dataDir, traces } = await endUnderLoad(t, "express", "none", "message");
    assert.deepEqual(await program.ended, [0, null]);
    assert.deepEqual(missing(traces, readLogFile(dataDir)), []);
  });

  it("express, a message that the application handles itself", async (t) => {
    const { program, dataDir, traces } = await endUnderLoad(t, "express", "message", "message");
    assert.deepEqual(await program.ended, [0, null]);
    assert.match(program.stdout, /the application stops/);
    assert.deepEqual(missing(traces, readLogFile(dataDir)), []);
  });

  it("express, a handler that exits at once: everything is in the log file", async (t) => {
    const { program, dataDir, traces } = await endUnderLoad(t, "express", "exit", "SIGTERM");
    assert.deepEqual(await program.ended, [0, null]);
    assert.deepEqual(missing(traces, readLogFile(dataDir)), []);
  });
});

describe("a second signal", () => {
  it("ends the process while Annex stops", async (t) => {
    const { program, url } = await start(t, "express");
    program.child.kill("SIGUSR2");
    await program.says(/running/);
    program.child.kill("SIGTERM");
    await until("the server has closed", async () => (await isServing(url)) === undefined);
    program.child.kill("SIGINT");
    assert.deepEqual(await program.ended, [null, "SIGINT"]);
  });

  it("ends the process if the handler of the application was for the first one", async (t) => {
    const { program, url } = await start(t, "node", "note");
    program.child.kill("SIGTERM");
    await program.says(/noted/);
    assert.match((await isServing(url)) ?? "", /^[A-Za-z0-9]{18}$/);
    program.child.kill("SIGTERM");
    assert.deepEqual(await program.ended, [null, "SIGTERM"]);
  });
});

async function endUnderLoad(
  t: TestContext,
  framework: string,
  handler: string,
  signal: NodeJS.Signals | "message",
) {
  const { program, dataDir, url } = await start(t, framework, handler);
  const traces: string[] = [];
  const loading = load(url, traces);
  await until("the server is under load", () => traces.length > 100);
  if (signal === "message") program.child.send("shutdown");
  else program.child.kill(signal);
  await loading;
  assert.ok(traces.length < requests, "the signal arrived too late to prove anything");
  return { program, dataDir, traces };
}

function missing(traces: readonly string[], found: ReadonlySet<string>): string[] {
  return traces.filter((trace) => !found.has(trace));
}

/** The trace ID of a response, or undefined without a response. */
async function isServing(url: string): Promise<string | undefined> {
  const response = await fetch(`${url}/page/again`).catch(() => undefined);
  return response?.headers.get("x-trace-id") ?? undefined;
}
