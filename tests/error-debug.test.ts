import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { createTestApp } from "../src/app/testing/test-app.ts";
import type { App, AppOptions, ErrorBody, Router } from "../src/index.ts";
import type { Cleanup } from "../src/lib/testing/share.ts";
import { until } from "../src/lib/testing/until.ts";
import { checkLooks, desktop, phone, tablet } from "./support/accessibility.ts";
import { launchBrowser, openWindow } from "./support/browser.ts";

/** In development, a 500 shows its cause to the developer only. */

class DatabaseError extends Error {
  override readonly name = "DatabaseError";
}

function findUser(): never {
  const cause = new Error("connect ECONNREFUSED postgres://ada:hunter2@db/app");
  throw new DatabaseError("The query failed: password=hunter2", { cause });
}

function register(router: Router): void {
  router.get("/fails", () => findUser());
  router.get("/refuses", (e) => {
    throw e.error(409, "Taken.");
  });
  router.get("/unavailable", (e) => {
    throw Object.assign(e.error(503, "Back at noon."), { cause: new Error("The disk is full.") });
  });
  router.get("/markup", () => {
    throw new Error("<script>alert(1)</script>\nsecond line");
  });
  router.get("/silent", () => {});
  router
    .get("/not-awaited", async (e) => {
      await new Promise(setImmediate);
      if (!e.hasResponded) e.noContent();
    })
    .bindFunc((e) => {
      void e.next();
    });
}

function createFailing(t: Cleanup, options?: AppOptions): App & { readonly dataDir: string } {
  const app = createTestApp(t, options);
  app.onServe(({ router }) => register(router));
  return app;
}

/** The line of this file that contains a text. */
function lineOf(part: string): number {
  const lines = readFileSync(import.meta.filename, "utf8").split("\n");
  return lines.findIndex((line) => line.includes(part)) + 1;
}

const here = "tests/error-debug.test.ts";

test("a 500 shows the error, its place and its causes, without secrets", async (t) => {
  const { url } = await createFailing(t).start();
  const response = await fetch(`${url}/fails`);
  const { debug, ...body } = (await response.json()) as ErrorBody;
  assert.equal(response.status, 500);
  assert.deepEqual(body, {
    status: 500,
    message: "Internal server error. See the log for this trace ID.",
    data: {},
    trace_id: response.headers.get("x-trace-id"),
  });
  assert.equal(debug?.at, `${here}:${lineOf("throw new DatabaseError")}`);
  assert.match(debug.error, /^DatabaseError: The query failed: password=/);
  assert.equal(debug.causes.length, 1);
  assert.equal(debug.causes[0]?.at, `${here}:${lineOf("const cause =")}`);
  assert.match(debug.causes[0].error, /^Error: connect ECONNREFUSED postgres:/);
  assert.doesNotMatch(JSON.stringify(debug), /hunter2/);
});

test("names in log.redact are redacted", async (t) => {
  const app = createTestApp(t, { log: { redact: ["colour"] } });
  app.onServe(({ router }) => {
    router.get("/x", () => {
      throw new Error("colour=mauve");
    });
  });
  const { debug } = (await app.inject({ url: "/x" })).json<ErrorBody>();
  assert.match(debug?.error ?? "", /^Error: colour=/);
  assert.doesNotMatch(debug?.error ?? "", /mauve/);
});

test("an error that the application meant for the client shows its cause, too, from 500 on", async (t) => {
  const app = createFailing(t);
  const { message, debug } = (await app.inject({ url: "/unavailable" })).json<ErrorBody>();
  assert.equal(message, "Back at noon.");
  assert.deepEqual(debug, {
    error: "Back at noon.",
    at: `${here}:${lineOf("Back at noon.")}`,
    causes: [{ error: "Error: The disk is full.", at: `${here}:${lineOf("Back at noon.")}` }],
  });
  assert.equal((await app.inject({ url: "/refuses" })).json<ErrorBody>().debug, undefined);
});

test("the messages for the log reach the developer", async (t) => {
  const app = createFailing(t);
  const { debug } = (await app.inject({ url: "/silent" })).json<ErrorBody>();
  assert.match(debug?.error ?? "", /^No response was sent for GET \/silent\. Call e\.json/);
  const { status, ...response } = await app.inject({ url: "/not-awaited" });
  assert.equal(status, 500);
  assert.match(response.json<ErrorBody>().debug?.error ?? "", /Write: await e\.next\(\)\.$/);
  const log = await until(
    "the message is in the log",
    () => readFileSync(join(app.dataDir, "app.log"), "utf8"),
    (content) => content.includes("Write: await e.next()."),
  );
  assert.match(log, /called e\.next\(\) without awaiting it/);
});

test("a page shows the same, escaped", async (t) => {
  const app = createFailing(t);
  const headers = { accept: "text/html" };
  const { body } = await app.inject({ url: "/fails", headers });
  assert.match(body, /DatabaseError: The query failed/);
  assert.ok(body.includes(`<code>${here}:${lineOf("throw new DatabaseError")}</code>`));
  assert.match(body, /Caused by[\s\S]*ECONNREFUSED/);
  assert.doesNotMatch(body, /hunter2/);
  const { body: escaped } = await app.inject({ url: "/markup", headers });
  assert.match(escaped, /Error: &#60;script&#62;alert\(1\)&#60;\/script&#62;\nsecond line/);
  assert.doesNotMatch((await app.inject({ url: "/refuses", headers })).body, /class="debug"/);
});

test("the page fits every width, in both color schemes", async (t) => {
  const { url } = await createFailing(t).start();
  const browser = await launchBrowser();
  t.after(() => browser.close());
  const page = await (await openWindow(browser)).newPage();
  await page.goto(`${url}/fails`);
  await page.getByText("Caused by").waitFor();
  await checkLooks(page, [phone, tablet, desktop]);
});

test("production never shows it", async (t) => {
  const app = createFailing(t, { dev: false });
  for (const headers of [{}, { accept: "text/html" }]) {
    const { status, body } = await app.inject({ url: "/fails", headers });
    assert.equal(status, 500);
    assert.doesNotMatch(body, /debug|DatabaseError|\.ts:/);
  }
});

const others: Record<string, { remoteAddress?: string; headers?: Record<string, string> }> = {
  "another machine": { remoteAddress: "192.168.1.7" },
  "another machine, by IPv6": { remoteAddress: "2001:db8::1" },
  "a proxy on this machine": { headers: { "x-forwarded-for": "203.0.113.9" } },
  "a proxy with a standard header": { headers: { forwarded: "for=203.0.113.9" } },
  "a proxy that names itself": { headers: { via: "1.1 tunnel" } },
  "a tunnel that keeps the host": { headers: { host: "annex.example.com" } },
  "a host that only begins like a local one": { headers: { host: "localhost.example.com" } },
  "a page that a proxy without headers serves": { headers: { referer: "https://shop.example.com/cart" } },
  "a page of another site": { headers: { "sec-fetch-site": "cross-site", origin: "https://evil.example" } },
};

for (const [name, request] of Object.entries(others)) {
  test(`a request from ${name} does not get it`, async (t) => {
    const { status, body } = await createFailing(t).inject({ url: "/fails", ...request });
    assert.equal(status, 500);
    assert.doesNotMatch(body, /debug|DatabaseError|\.ts:/);
  });
}

const own: Record<string, { remoteAddress?: string; headers?: Record<string, string> }> = {
  "another loopback address": { remoteAddress: "127.3.2.1" },
  IPv6: { remoteAddress: "::1", headers: { host: "[::1]:8090" } },
  "a mapped address": { remoteAddress: "::ffff:127.0.0.1", headers: { host: "localhost:8090" } },
  "a page on another port": { headers: { host: "localhost:8090", "sec-fetch-site": "same-site" } },
  "a name of this machine": { headers: { host: "shop.localhost:8090" } },
};

for (const [name, request] of Object.entries(own)) {
  test(`a request from this machine by ${name} gets it`, async (t) => {
    const { debug } = (await createFailing(t).inject({ url: "/fails", ...request })).json<ErrorBody>();
    assert.match(debug?.error ?? "", /^DatabaseError/);
  });
}

// By default, nginx replaces the host, adds no header of its own and sends HTTP/1.0.
for (const [name, head] of Object.entries({
  "without a host": "",
  "by HTTP/1.0": "Host: 127.0.0.1:8090\r\n",
})) {
  test(`a request ${name} does not get it`, async (t) => {
    const { port } = await createFailing(t).start();
    const socket = connect(port, "127.0.0.1");
    socket.write(`GET /fails HTTP/1.0\r\n${head}\r\n`);
    const response = await text(socket);
    assert.match(response, /^HTTP\/1\.1 500/);
    assert.doesNotMatch(response, /debug/);
  });
}
