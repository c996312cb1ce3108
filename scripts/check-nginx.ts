/**
 * Runs the nginx configuration of `docs/guides/deploy.md` with a real nginx in front of an application, and checks what a
 * proxy can break: forwarded addresses, cookies over TLS, the size of bodies, and event streams.
 *
 *     npm run check:nginx                        # nginx from PATH
 *     npm run check:nginx -- /path/to/nginx
 *
 * On Debian: apt-get install nginx-light. It listens on loopback only.
 */
import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request as requestPlain } from "node:http";
import { request } from "node:https";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { createApp } from "../src/index.ts";

const [nginx = "nginx"] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "annex-nginx-"));
const limitMs = 20_000;

const app = createApp({
  port: 0,
  dataDir: join(folder, "data"),
  logLevel: "error",
  dev: false,
  signals: false,
  trustedProxies: ["127.0.0.1"],
});
app.onServe(({ router }) => {
  router.get("/who", (e) => e.json(200, { ip: e.ip, isSecure: e.isSecure, host: e.url.host }));
  router.post("/size", async (e) => e.json(200, { bytes: (await e.readBytes()).length }));
});
const { port } = await app.start();
await app.superusers.create("ada@example.com", "correct horse battery staple");
const publicPort = await findPort();
const server = startNginx(port, publicPort);
try {
  await untilListening();
  await checkForwarding();
  const cookie = await checkSignIn();
  await checkStream(cookie);
  await checkSizes();
  console.log("The nginx configuration of the deployment guide works.");
} finally {
  server.kill("SIGTERM");
  await app.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** The configuration of the guide, with other ports, names and certificates. */
function startNginx(upstream: number, listen: number): ChildProcess {
  const guide = readFileSync(join(import.meta.dirname, "../docs/guides/deploy.md"), "utf8");
  const [, shown = ""] = /```nginx\n([\s\S]*?)```/.exec(guide) ?? [];
  const certificate = join(folder, "certificate.pem");
  const key = join(folder, "key.pem");
  const subject = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost"];
  execFileSync("openssl", ["req", ...subject, "-keyout", key, "-out", certificate], { stdio: "ignore" });
  const sites = shown
    .replace("127.0.0.1:8090", `127.0.0.1:${upstream}`)
    .replace("listen 443 ssl", `listen 127.0.0.1:${listen} ssl`)
    .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate};`)
    .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`);
  mkdirSync(join(folder, "temporary"));
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${join(folder, "temporary", name)};`,
  );
  // As root, nginx would change to a user who may not use this folder.
  const user = process.getuid?.() === 0 ? "user root;" : "";
  const config = `${user} daemon off; pid ${join(folder, "pid")}; error_log stderr warn;
    events {} http { access_log off; ${paths.join(" ")} ${sites} }`;
  const file = join(folder, "nginx.conf");
  writeFileSync(file, config);
  return spawn(nginx, ["-c", file, "-p", folder], { stdio: ["ignore", "ignore", "inherit"] });
}

async function findPort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

async function untilListening(): Promise<void> {
  for (const deadline = Date.now() + limitMs; ; await delay(50)) {
    try {
      await fetchThrough("/who");
      return;
    } catch (error) {
      if (Date.now() > deadline) throw new Error("nginx does not listen.", { cause: error });
    }
  }
}

interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly localAddress?: string;
}

function openThrough(path: string, { body, ...options }: Sent = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { host: "notes.example.com", ...options.headers };
    const target = { host: "127.0.0.1", port: publicPort, path, rejectUnauthorized: false, timeout: limitMs };
    const sent = request({ ...target, ...options, headers }, resolve);
    sent.on("error", reject);
    sent.on("timeout", () => sent.destroy(new Error("No response.")));
    sent.end(body);
  });
}

async function fetchThrough(path: string, options?: Sent) {
  const response = await openThrough(path, options);
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

/** A client cannot choose its address, and the application knows the public name and that the connection is encrypted. */
async function checkForwarding(): Promise<void> {
  const forged = {
    "x-forwarded-for": "203.0.113.9",
    "x-forwarded-proto": "http",
    "x-forwarded-host": "evil.example",
  };
  const { body } = await fetchThrough("/who", { headers: forged, localAddress: "127.0.0.2" });
  assert.deepEqual(JSON.parse(body), { ip: "127.0.0.2", isSecure: true, host: "notes.example.com" });
  const direct = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path: "/who", localAddress: "127.0.0.3", headers: forged };
    requestPlain(options, resolve).on("error", reject).end();
  });
  assert.equal(JSON.parse(await text(direct)).ip, "127.0.0.3");
}

async function checkSignIn(): Promise<string> {
  const body = new URLSearchParams({
    identity: "ada@example.com",
    password: "correct horse battery staple",
  }).toString();
  const headers = {
    origin: "https://notes.example.com",
    "content-type": "application/x-www-form-urlencoded",
    "content-length": String(body.length),
  };
  const { headers: received } = await fetchThrough("/_/sign-in", { method: "POST", headers, body });
  const session = received["set-cookie"]?.find((cookie) => cookie.startsWith("__Host-annex_session="));
  assert.match(session ?? "", /; Secure/);
  return session!.split(";")[0]!;
}

/** Events arrive one by one, while the stream is open. */
async function checkStream(cookie: string): Promise<void> {
  const headers = { cookie, accept: "text/event-stream" };
  const stream = await openThrough("/_/_/live", { headers });
  assert.equal(stream.statusCode, 200);
  const pieces: string[] = [];
  stream.setEncoding("utf8").on("data", (piece: string) => pieces.push(piece));
  for (const deadline = Date.now() + limitMs; pieces.length < 3; await delay(50))
    assert.ok(Date.now() < deadline, "The events do not arrive while the stream is open.");
  stream.destroy();
}

async function checkSizes(): Promise<void> {
  const post = (bytes: number) =>
    fetchThrough("/size", {
      method: "POST",
      headers: { "content-length": String(bytes) },
      body: "x".repeat(bytes),
    });
  assert.deepEqual(JSON.parse((await post(1_000_000)).body), { bytes: 1_000_000 });
  assert.equal((await post(1_100_000)).status, 413);
}
