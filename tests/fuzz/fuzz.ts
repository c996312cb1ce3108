import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { buildWeb } from "../../scripts/build-web.ts";
import "../../src/index.ts";
import { definedErrors } from "../../src/lib/errors/errors.ts";
import { settles, until } from "../../src/lib/testing/until.ts";
import type { Started } from "./announce.ts";
import { exchange, type Outcome } from "./exchange.ts";
import { createRandom } from "./random.ts";
import { type Credentials, createRequest } from "./requests.ts";
import { runSession } from "./run-session.ts";
import { chunkBytes, type StreamState, unreadBytes } from "./stream-routes.ts";
import { createSlowSession, createSocketSession, maxMessage, type SocketSession } from "./web-sockets.ts";

/** The programs under test: the example, and Annex attached to the examples of the frameworks. */
export const programs = ["example", "express", "fastify", "nest", "koa", "hono"] as const;
export type FuzzProgram = (typeof programs)[number];

export interface FuzzOptions {
  readonly seed: number;
  /** Default: the example. */
  readonly program?: FuzzProgram;
  /** Requests and WebSockets. */
  readonly requests: number;
  /** Ends the run early, with what has been done until then. */
  readonly deadlineMs: number;
  onProgress?(done: number): void;
}

export interface FuzzReport {
  readonly requests: number;
  readonly routes: number;
  /** How many responses had each status, and WebSockets each close code; `closed` without one. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Everything that must not happen, each with the number of the request. */
  readonly problems: readonly string[];
  /** Number of clients that the server closed, because they read too slowly. */
  readonly slow: number;
  readonly exitCode: number | null;
  readonly stopMs: number;
  readonly rssMegabytes: { readonly before: number; readonly after: number };
}

const connections = 16;
const hangAfterMs = 90_000;
/** A logout or a changed password ends the credentials of a run; they are renewed this often. */
const renewEvery = 250;
const shareOfSockets = 0.15;
/** Clients that do not read take seconds, so they run beside the other requests. */
const slowEvery = 100;

/** Sends random requests to every route of a program, with and without credentials, and reports what went wrong. */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { seed, program = "example", requests, deadlineMs, onProgress } = options;
  await buildWeb();
  const server = await startServer(program);
  const random = createRandom(seed);
  const outcomes: Record<string, number> = {};
  const problems: string[] = [];
  const rss = { before: server.rssMegabytes(), after: 0 };
  const endAt = performance.now() + deadlineMs;
  let credentials: Credentials = [];
  const slowClients: Promise<void>[] = [];
  let slow = 0;
  let done = 0;

  function sendOne(number: number): Promise<void> {
    if (number % slowEvery === 0) slowClients.push(open(number, createSlowSession(random)));
    return random.chance(shareOfSockets)
      ? open(number, createSocketSession(random, random.pick(server.webSockets)))
      : request(number);
  }

  async function open(number: number, session: SocketSession): Promise<void> {
    note(number, session, await runSession({ port: server.port, session, deadlineMs: hangAfterMs }));
  }

  async function request(number: number): Promise<void> {
    const targets = server.focus.length > 0 && random.chance(0.5) ? server.focus : server.routes;
    const request = createRequest(random, random.pick(targets), credentials);
    const outcome = await exchange({
      port: server.port,
      bytes: request.bytes,
      givesUp: !request.isWellFormed,
      lingersMs: request.lingersMs,
      deadlineMs: hangAfterMs,
    });
    note(number, request, outcome);
  }

  function note(number: number, exchanged: Exchanged, outcome: Outcome): void {
    const key = keyOf(outcome);
    outcomes[key] = (outcomes[key] ?? 0) + 1;
    const problem = problemOf(exchanged, outcome);
    if (problem) problems.push(`#${number} of seed ${seed}, ${program}: ${exchanged.title}: ${problem}`);
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
    await settles("the slow clients are closed", Promise.all(slowClients));
    if (server.isRunning()) {
      rss.after = server.rssMegabytes();
      const state = await server.finalState();
      slow = Object.values(state.slow).reduce((sum, count) => sum + count);
      if (state.largestUnread > mostUnread)
        problems.push(`${state.largestUnread} bytes waited for a client.`);
    } else problems.push(`The server ended after ${done} requests:\n${server.output()}`);
  } finally {
    await server.stop();
  }
  problems.push(...server.loggedErrors());
  if (!server.hasEndedWell()) problems.push(`The server exited with ${server.exitCode()}.`);
  server.removeFolder();
  const { stopMs } = server;
  return {
    requests: done,
    routes: server.routes.length,
    outcomes,
    problems,
    slow,
    exitCode: server.exitCode(),
    stopMs: stopMs(),
    rssMegabytes: rss,
  };
}

/** The 5xx responses that the documentation lists; a 500 is always a defect. */
const declared = definedErrors()
  .filter(({ status }) => status > 500)
  .map(({ status, template }) => ({ status, start: template.split("%s")[0]! }));

/** A request, or the handshake of a WebSocket. */
interface Exchanged {
  readonly title: string;
  readonly bytes: Buffer;
  readonly isWellFormed: boolean;
}

/** The limit, and all messages that are sent before it is checked again. */
const mostUnread = unreadBytes + 2 * chunkBytes + maxMessage;

function keyOf(outcome: Outcome): string {
  if (outcome.kind === "socket") return `socket ${outcome.code ?? "without code"}`;
  return outcome.kind === "response" ? String(outcome.status) : outcome.kind;
}

function problemOf(request: Exchanged, outcome: Outcome): string | undefined {
  if (outcome.kind === "hang") return `no response within ${hangAfterMs} ms\n${request.bytes}`;
  if (outcome.kind === "closed") return request.isWellFormed ? `closed\n${request.bytes}` : undefined;
  if (outcome.kind === "socket") return problemOfSocket(outcome.code, outcome.problem);
  const { status, body } = outcome;
  // Frameworks respond to unknown methods with 501.
  if (status < 500 || status === 501) return undefined;
  if (declared.some((error) => error.status === status && body.includes(error.start))) return undefined;
  return `${status}\n${body}\n${request.bytes}`;
}

/** 1011 is a defect of a handler, like a 500. */
function problemOfSocket(code: number | undefined, problem: string | undefined): string | undefined {
  return problem ?? (code === 1011 ? "closed with 1011" : undefined);
}

async function startServer(program: FuzzProgram) {
  const folder = mkdtempSync(join(tmpdir(), "annex-fuzz-"));
  const log = join(folder, "app.log");
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
  const child = spawn(process.execPath, programArguments(program), {
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
  const { port, routes, focus, webSockets, email, password } = JSON.parse(started[0]) as Started;
  let stopMs = 0;
  return {
    port,
    routes,
    focus,
    webSockets,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    exitCode: () => child.exitCode,
    // A host without a handler for the signal ends with it, after Annex has stopped.
    hasEndedWell: () => child.exitCode === 0 || (program !== "example" && child.signalCode === "SIGTERM"),
    output: () => output,
    stopMs: () => stopMs,
    rssMegabytes: () => readRss(child),
    renewCredentials: () => signIn(`http://127.0.0.1:${port}`, email, password),
    finalState: () => readState(`http://127.0.0.1:${port}`),
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

function programArguments(program: FuzzProgram): string[] {
  const inFolder = (file: string) => join(import.meta.dirname, file);
  return program === "example" ? [inFolder("server.ts")] : [inFolder("attached.ts"), program];
}

/** What the program knows about its streams, once all of them are closed. */
function readState(url: string): Promise<StreamState> {
  return until(
    "no event stream and no WebSocket is open",
    async () => (await (await fetch(`${url}/fuzz/state`)).json()) as StreamState,
    ({ open }) => Object.values(open).every((count) => count === 0),
  );
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
    // Only the example has users of its own.
    ...(person.ok ? [[`Authorization: Bearer ${((await person.json()) as { key: string }).key}`]] : []),
  ];
}

function readRss({ pid }: ChildProcess): number {
  if (process.platform !== "linux") return 0;
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

/** Errors that requests caused in the log: each is a defect. */
function readErrors(log: string): string[] {
  return readFileSync(log, "utf8")
    .split("\n")
    .filter((line) => line.includes('"level":"ERROR"') && !expectedErrors.some((part) => line.includes(part)))
    .map((line) => `logged: ${line.slice(0, 2_000)}`);
}

const expectedErrors = [
  // Jobs of the example fail on purpose now and then.
  '"job_id":',
  // If the client has disconnected, Annex does not know that the host would have responded with 404.
  '"name":"BookNotFound"',
];
