/**
 * Installs the packed package in an empty folder, starts the application of `annex init` with it, and requests a route,
 * its document and the dashboard. Runs on every system, and stops the server as Windows can: with a message.
 *
 *     npm run try:package
 */
import assert from "node:assert/strict";
import { type ChildProcess, execSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const base = mkdtempSync(join(tmpdir(), "annex try-"));
const limitMs = 300_000;
const { npm_config_user_agent: _, ...inherited } = process.env;
const env = { ...inherited, SVC_PORT: "0" };

/** With a shell, because npm is a script on Windows. The line has no values of users. */
function run(line: string, cwd: string): void {
  execSync(line, { cwd, env, stdio: ["ignore", "ignore", "inherit"], timeout: limitMs });
}

function pack(): string {
  const [staged, target] = [join(base, "staged"), join(base, "packed")];
  mkdirSync(target);
  run(`node scripts/stage.ts "${staged}"`, root);
  run(`npm pack --pack-destination "${target}"`, staged);
  return join(target, readdirSync(target)[0]!);
}

async function addressOf(server: ChildProcess): Promise<string> {
  let said = "";
  for (const stream of [server.stdout!, server.stderr!]) stream.on("data", (text) => (said += text));
  const signal = AbortSignal.timeout(limitMs);
  for (;;) {
    const [, url] = /listening at (http:\/\/[\w.:[\]]+)/.exec(said) ?? [];
    if (url) return url;
    if (server.exitCode !== null || signal.aborted) throw new Error(`The server did not start:\n${said}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function tryRequests(url: string, isPublic: boolean): Promise<void> {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ text: "Buy milk" });
  const created = await fetch(`${url}/api/v1/notes`, { method: "POST", headers, body });
  assert.equal(created.status, 201);
  const document = await fetch(`${url}/api/docs/v1/openapi.json`);
  assert.equal(document.status, isPublic ? 200 : 401);
  // From the type of the handler's result, so the compiler ran.
  if (isPublic) assert.match(await document.text(), /"text":\{"type":"string"/);
  for (const path of ["/_/_", "/api/health/ready"]) assert.equal((await fetch(url + path)).status, 200, path);
}

/** Starts the entry, and stops it as a process manager does. */
async function serve(folder: string, entry: string, mode: NodeJS.ProcessEnv = {}): Promise<void> {
  const stdio = ["ignore", "pipe", "pipe", "ipc"] as const;
  const server = spawn(process.execPath, [entry], {
    cwd: folder,
    env: { ...env, ...mode },
    stdio: [...stdio],
  });
  try {
    await tryRequests(await addressOf(server), mode.NODE_ENV !== "production");
    server.send("shutdown");
    assert.deepEqual(await once(server, "exit", { signal: AbortSignal.timeout(limitMs) }), [0, null]);
  } finally {
    server.kill("SIGKILL");
  }
}

try {
  const packed = pack();
  const folder = join(base, "my app");
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  run(`npm install "${packed}"`, folder);
  run("npx annex init", folder);
  run("npm install", folder);
  await serve(folder, join("src", "server.ts"));
  console.log("Started from the source: done");
  run("npm test", folder);
  run("npm run build", folder);
  await serve(folder, join("dist", "server.js"), {
    NODE_ENV: "production",
    SVC_DATA_DIR: join(base, "data"),
  });
  console.log("Tested, built and started in production: done");
} finally {
  rmSync(base, { recursive: true, force: true, maxRetries: 5 });
}
