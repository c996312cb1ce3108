import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { createTestApp } from "../src/app/testing/test-app.ts";
import type { App } from "../src/index.ts";
import { until } from "../src/lib/testing/until.ts";

/** Every request except the excluded ones has a record with its trace ID, and is counted once. */

const account = { identity: "ada@example.com", password: "correct horse battery" };
const scrapeToken = "token-of-a-scraper";

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly as?: "superuser" | "user" | "scraper";
  /** Fields of a form. */
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: object;
  readonly status: number;
}

const view = { name: "Errors", address: "/_/_/logs?range=1h" };
const invalid = { identity: account.identity, password: "wrong password" };

const counted: readonly Sent[] = [
  { path: "/_", status: 302 },
  { path: "/_/", status: 200 },
  { path: "/_/?next=/_/_/logs", status: 200 },
  { path: "/_/sign-in", status: 302 },
  { method: "POST", path: "/_/sign-in", form: invalid, status: 400 },
  { method: "POST", path: "/_/sign-in", form: account, status: 303 },
  { method: "POST", path: "/_/superusers", form: { email: "bob@example.com" }, status: 303 },
  { method: "POST", path: "/_/superusers", as: "superuser", form: { email: "bob@" }, status: 400 },
  { method: "POST", path: "/_/password", form: {}, status: 303 },
  { path: "/_/_", status: 302 },
  { path: "/_/_/", status: 302 },
  { path: "/_/_/logs", status: 302 },
  { path: "/_/_/no-such-page", status: 404 },
  { path: "/_/_", as: "user", status: 302 },
  { path: "/_/_", as: "superuser", status: 200 },
  { path: "/_/_/logs", as: "superuser", status: 200 },
  { path: "/_/_/data/logs", status: 401 },
  { path: "/_/_/data/logs", as: "user", status: 403 },
  { method: "PUT", path: "/_/_/data/config/logLevel", status: 401 },
  {
    method: "PUT",
    path: "/_/_/data/config/logLevel",
    as: "superuser",
    json: { value: "debug" },
    status: 200,
  },
  { method: "PUT", path: "/_/_/data/config/logLevel", as: "superuser", json: { value: "loud" }, status: 400 },
  { method: "DELETE", path: "/_/_/data/config/logLevel", as: "superuser", status: 200 },
  { method: "POST", path: "/_/_/data/views", as: "superuser", json: view, status: 201 },
  { path: "/_/_/data/no-such-data", status: 404 },
  { path: "/_/_/live", status: 401 },
  { path: "/_/_/metrics", status: 401 },
  { path: "/_/_/assets/no-such-file.js", status: 404 },
  { path: "/api/cron/jobs", status: 401 },
  { path: "/api/cron/jobs", as: "superuser", status: 200 },
  { path: "/api/docs/versions", status: 401 },
  { path: "/api/health", status: 200 },
  { path: "/hello", status: 200 },
  { path: "/no-such-page", status: 404 },
];

const uncounted: readonly Sent[] = [
  { path: "/favicon.ico", status: 404 },
  { path: "/robots.txt", status: 404 },
  { path: "/app.js.map", status: 404 },
  { path: "/_/assets/pages.css", status: 200 },
  { path: "/_/_/data/now", as: "superuser", status: 200 },
  { method: "HEAD", path: "/_/_/data/now", as: "superuser", status: 200 },
  { path: "/_/_/data/requests/q3WdXwZbK0u8mTf1Ra", as: "superuser", status: 404 },
  { path: "/_/_/metrics", as: "scraper", status: 200 },
  { path: "/_/_/metrics", as: "superuser", status: 200 },
];

const servers: readonly { readonly name: string; start(t: TestContext, app: App): Promise<string> }[] = [
  {
    name: "on its own server",
    start: async (_t, app) => {
      app.onServe(({ router }) => router.get("/hello", (e) => e.text(200, "Hello")));
      return (await app.start()).url;
    },
  },
  {
    name: "on the server of another application",
    start: async (t, app) => {
      const server = createServer((request, response) => {
        response.statusCode = request.url === "/hello" ? 200 : 404;
        response.end();
      });
      t.after(() => server.close());
      await app.attach(server);
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
  },
];

for (const { name, start } of servers) {
  test(`every request is logged and counted once, ${name}`, async (t) => {
    const app = createTestApp(t, { logLevel: "debug", metrics: { scrapeToken } });
    await app.superusers.create(account.identity, account.password);
    app.authenticate((e) => (e.header("authorization") === "user" ? { id: "user" } : null));
    const url = await start(t, app);
    const credentials = { ...(await signIn(url)), user: "user", scraper: `Bearer ${scrapeToken}` };

    const before = await totalOf(url);
    const ids = new Map<string, Sent>();
    const quietIds: string[] = [];
    for (const sent of counted) ids.set(await send(url, sent, credentials), sent);
    for (const sent of uncounted) quietIds.push(await send(url, sent, credentials));
    // The first of the two requests for the total is counted, too.
    assert.equal((await totalOf(url)) - before, counted.length + 1);

    const readRecords = async () => {
      const { items } = await app.logs.search({ event: "http_request", limit: 1_000 });
      return new Map(items.map((item) => [item.trace_id as string, item]));
    };
    const records = await until("all requests have a record", readRecords, (found) =>
      ids.keys().every((id) => found.has(id)),
    );
    for (const [traceId, { method = "GET", path, status }] of ids) {
      const record = records.get(traceId)!;
      const described = [record.method, record.path, Number.parseInt(String(record.status), 10)];
      assert.deepEqual(described, [method, path.split("?")[0], status]);
    }
    for (const traceId of quietIds) assert.ok(!records.has(traceId));
  });
}

async function signIn(url: string): Promise<{ superuser: string }> {
  const response = await fetch(`${url}/api/collections/_superusers/auth-with-password`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(account),
  });
  const { token } = (await response.json()) as { token: string };
  return { superuser: token };
}

async function totalOf(url: string): Promise<number> {
  const response = await fetch(`${url}/api/health`);
  return ((await response.json()) as { total_requests: number }).total_requests;
}

/** Sends a request, checks its status and returns its trace ID. */
async function send(
  url: string,
  { method = "GET", path, as, form, json, status }: Sent,
  credentials: Readonly<Record<string, string>>,
): Promise<string> {
  const response = await fetch(url + path, {
    method,
    redirect: "manual",
    headers: {
      "sec-fetch-site": "same-origin",
      ...(as && { authorization: credentials[as]! }),
      ...(json && { "content-type": "application/json" }),
    },
    ...(form && { body: new URLSearchParams(form) }),
    ...(json && { body: JSON.stringify(json) }),
  });
  await response.arrayBuffer();
  assert.equal(response.status, status, `${method} ${path}`);
  return response.headers.get("x-trace-id")!;
}
