import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { buildWeb } from "../../scripts/build-web.ts";
import "../../src/index.ts";
import { definedErrors } from "../../src/lib/errors/errors.ts";
import { exchange, type Outcome } from "./exchange.ts";
import { createRandom } from "./random.ts";
import { type Credentials, createRequest, type FuzzRequest, type Target } from "./requests.ts";

export interface FuzzOptions {
  readonly seed: number;
  readonly requests: number;
  /** Ends the run early, with what has been done until then. */
  readonly deadlineMs: number;
  onProgress?(done: number): void;
}

export interface FuzzReport {
  readonly requests: number;
  readonly routes: number;
  /** How many responses had each status; `closed` without one. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Everything that must not happen, each with the number of the request. */
  readonly problems: readonly string[];
  readonly exitCode: number | null;
  readonly stopMs: number;
  readonly rssMegabytes: { readonly before: number; readonly after: number };
}

const connections = 16;
const hangAfterMs = 90_000;
/** A logout or a changed password ends the credentials of a run; they are renewed this often. */
const renewEvery = 250;

/** Sends random requests to every route of the example, with and without credentials, and reports what went wrong. */
export async function fuzz({ seed, requests, deadlineMs, onProgress }: FuzzOptions): Promise<FuzzReport> {
  await buildWeb();
  const server = await startServer();
  const random = createRandom(seed);
  const outcomes: Record<string, number> = {};
  const problems: string[] = [];
  const rss = { before: server.rssMegabytes(), after: 0 };
  const endAt = performance.now() + deadlineMs;
  let credentials: Credentials = [];
  let done = 0;

  async function sendOne(number: number): Promise<void> {
    const request = createRequest(random, random.pick(server.routes), credentials);
    const outcome = await exchange({
      port: server.port,
      bytes: request.bytes,
      givesUp: !request.isWellFormed,
      deadlineMs: hangAfterMs,
    });
    const key = outcome.kind === "response" ? String(outcome.status) : outcome.kind;
    outcomes[key] = (outcomes[key] ?? 0) + 1;
    const problem = problemOf(request, outcome);
    if (problem) problems.push(`#${number} ${request.title}: ${problem}`);
  }

  try {
    while (done < requests && performance.now() < endAt && server.isRunning()) {
      if (done % renewEvery === 0) credentials = await server.renewCredentials();
      const count = Math.min(connections, requests - done, renewEvery - (done % renewEvery));
      // Requests are made in order and sent together, so that a seed always gives the same ones.
      await Promise.all(Array.from({ length: count }, (_, index) => sendOne(done + index)));
      done += count;
      onProgress?.(done);
    }
    if (server.isRunning()) rss.after = server.rssMegabytes();
    else problems.push(`The server ended after ${done} requests:\n${server.output()}`);
  } finally {
    await server.stop();
  }
  problems.push(...server.loggedErrors());
  if (server.exitCode() !== 0) problems.push(`The server exited with ${server.exitCode()}.`);
  server.removeFolder();
  const { stopMs } = server;
  return {
    requests: done,
    routes: server.routes.length,
    outcomes,
    problems,
    exitCode: server.exitCode(),
    stopMs: stopMs(),
    rssMegabytes: rss,
  };
}

/** The 5xx responses that the documentation lists; a 500 is always a defect. */
const declared = definedErrors()
  .filter(({ status }) => status > 500)
  .map(({ status, template }) => ({ status, start: template.split("%s")[0]! }));

function problemOf(request: FuzzRequest, outcome: Outcome): string | undefined {
  if (outcome.kind === "hang") return `no response within ${hangAfterMs} ms\n${request.bytes}`;
  if (outcome.kind === "closed") return request.isWellFormed ? `closed\n${request.bytes}` : undefined;
  const { status, body } = outcome;
  if (status < 500) return undefined;
  if (declared.some((error) => error.status === status && body.includes(error.start))) return undefined;
  return `${status}\n${body}\n${request.bytes}`;
}

async function startServer() {
  const folder = mkdtempSync(join(tmpdir(), "annex-fuzz-"));
  const log = join(folder, "app.log");
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
  const child = spawn(process.execPath, [join(import.meta.dirname, "server.ts")], {
    env: { ...inherited, NODE_ENV: "production", SVC_DATA_DIR: join(folder, "data"), SVC_LOG_FILE: log },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit");
  let output = "";
  child.stderr!.on("data", (chunk) => {
    output += chunk;
  });
  const lines = createInterface({ input: child.stdout! });
  const started = await Promise.race([
    once(lines, "line", { signal: AbortSignal.timeout(180_000) }),
    exited.then(() => Promise.reject(new Error(`The server did not start:\n${output}`))),
  ]);
  const { port, routes, email, password } = JSON.parse(started[0]) as Started;
  let stopMs = 0;
  return {
    port,
    routes,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    exitCode: () => child.exitCode,
    output: () => output,
    stopMs: () => stopMs,
    rssMegabytes: () => readRss(child),
    renewCredentials: () => signIn(`http://127.0.0.1:${port}`, email, password),
    loggedErrors: () => readErrors(log),
    removeFolder: () => rmSync(folder, { recursive: true, force: true }),
    async stop() {
      const since = performance.now();
      child.kill("SIGTERM");
      const killer = setTimeout(() => child.kill("SIGKILL"), 60_000);
      await exited;
      clearTimeout(killer);
      stopMs = performance.now() - since;
    },
  };
}

interface Started {
  readonly port: number;
  readonly routes: readonly Target[];
  readonly email: string;
  readonly password: string;
}

/** A caller without credentials, one with a superuser's token, one with a session, and a user of the application. */
async function signIn(url: string, identity: string, password: string): Promise<Credentials> {
  const headers = { "X-Forwarded-For": "203.0.113.7" };
  const send = (path: string, init: RequestInit) =>
    fetch(url + path, { method: "POST", redirect: "manual", signal: AbortSignal.timeout(90_000), ...init });
  const json = { ...headers, "Content-Type": "application/json" };
  const token = await send("/api/collections/_superusers/auth-with-password", {
    headers: json,
    body: JSON.stringify({ identity, password }),
  });
  const session = await send("/_/sign-in", {
    headers: { ...headers, Origin: url },
    body: new URLSearchParams({ identity, password }),
  });
  const person = await send("/api/v1/people", { headers: json, body: JSON.stringify({ name: "Fuzz" }) });
  const [cookie = ""] = session.headers.getSetCookie().map((each) => each.split(";")[0]!);
  return [
    [],
    [`Authorization: Bearer ${((await token.json()) as { token: string }).token}`],
    [`Cookie: ${cookie.replace(/^annex_session_\d+/, "annex_session_80")}`, "Origin: http://127.0.0.1"],
    [`Authorization: Bearer ${((await person.json()) as { key: string }).key}`],
  ];
}

function readRss({ pid }: ChildProcess): number {
  if (process.platform !== "linux") return 0;
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

/** Errors that requests caused in the log: each is a defect. Jobs of the example fail on purpose now and then. */
function readErrors(log: string): string[] {
  return readFileSync(log, "utf8")
    .split("\n")
    .filter((line) => line.includes('"level":"ERROR"') && !line.includes('"job_id":'))
    .map((line) => `logged: ${line.slice(0, 2_000)}`);
}
