import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { createTestApp } from "../src/app/testing/test-app.ts";
import type { App, AppOptions } from "../src/index.ts";
import { until } from "../src/lib/testing/until.ts";
import { createTestDatabase } from "./support/postgres.ts";

const ada = { identity: "ada@example.com", password: "correct horse" };
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0";
const page = { accept: "text/html", "sec-fetch-dest": "document", "sec-fetch-mode": "navigate" };

interface VisitorsResponse {
  enabled: boolean;
  live: number;
  totals: { visitors?: number; visitor_days: number; views: number; sessions: number };
  pages: { name: string; views: number }[];
  browsers: { name: string }[];
  kinds: { kind: string; views: number }[];
}

async function createSite(t: TestContext, options: AppOptions = {}) {
  const app = createTestApp(t, { trustedProxies: ["127.0.0.1"], ...options });
  app.onServe(({ router }) => {
    router.get("/", (e) => e.html(200, "<!doctype html><title>Home</title>"));
    router.get("/about/{rest...}", (e) => e.html(200, "<!doctype html><title>About</title>"));
    router.get("/api/things", (e) => e.json(200, []));
  });
  return { app, view: viewOf(app), read: await readerOf(app) };
}

/** Looks at a page, from an address. */
function viewOf(app: App) {
  return (url: string, ip: string, headers: Record<string, string> = {}) =>
    app.inject({ url, headers: { "user-agent": firefox, "x-forwarded-for": ip, ...page, ...headers } });
}

async function readerOf(app: App) {
  if ((await app.superusers.list()).length === 0) await app.superusers.create(ada.identity, ada.password);
  const url = "/api/collections/_superusers/auth-with-password";
  const login = await app.inject({ method: "POST", url, body: ada });
  const headers = { authorization: `Bearer ${login.json<{ token: string }>().token}` };
  return async (path = "") => app.inject({ url: `/_/_/data/visitors${path}`, headers });
}

/** Views are passed on once a second. */
async function readWhen(
  read: () => Promise<{ json<T>(): T }>,
  isThere: (response: VisitorsResponse) => boolean,
) {
  return until("the views are counted", async () => (await read()).json<VisitorsResponse>(), isThere);
}

describe("the visitors of an application", () => {
  it("are counted by the pages they look at, and by nothing else", async (t) => {
    const { app, view, read } = await createSite(t);
    assert.equal((await app.inject({ url: "/_/_/data/visitors" })).status, 401);
    await view("/", "203.0.113.1");
    await view("/about/us", "203.0.113.1");
    await view("/", "203.0.113.2");
    await view("/", "203.0.113.3", {
      "user-agent": "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)",
    });
    await view("/api/things", "203.0.113.4");
    await view("/nothing", "203.0.113.4");
    await view("/_/", "203.0.113.4");
    const response = await readWhen(read, ({ totals }) => totals.views === 3);
    assert.deepEqual(response.totals.visitors ?? response.totals.visitor_days, 2);
    assert.deepEqual(
      response.pages.map(({ name, views }) => [name, views]),
      [
        ["/", 2],
        ["/about/us", 1],
      ],
    );
    assert.deepEqual(
      response.browsers.map(({ name }) => name),
      ["Firefox"],
    );
    assert.equal(response.kinds.find(({ kind }) => kind === "ai")!.views, 1);
    assert.match((await read(".csv")).body, /^name,views\r?\n\/,2\r?\n/);
  });

  it("are the same after a restart", async (t) => {
    const first = await createSite(t);
    await first.view("/", "203.0.113.1");
    await first.view("/", "203.0.113.2");
    const before = await readWhen(first.read, ({ totals }) => totals.views === 2);
    await first.app.stop();
    const again = await createSite(t, { dataDir: first.app.dataDir });
    assert.deepEqual((await again.read()).json<VisitorsResponse>().totals, before.totals);
    await again.view("/", "203.0.113.1");
    const after = await readWhen(again.read, ({ totals }) => totals.views === 3);
    assert.equal(after.totals.visitor_days, 2, "known again, by the day's salt");
  });

  it("are one visitor, whichever of three instances sees them", async (t) => {
    const { url: database, drop } = await createTestDatabase();
    t.after(drop);
    const sites = [];
    for (const instance of ["one", "two", "three"]) sites.push(await createSite(t, { database, instance }));
    for (const { view } of sites) {
      await view("/", "203.0.113.1");
      await view("/", "203.0.113.2");
    }
    const response = await readWhen(sites[0]!.read, ({ totals }) => totals.views === 6);
    assert.equal(response.totals.visitor_days, 2);
    assert.equal(response.totals.sessions, 2);
    for (const { app } of sites) await app.stop();
  });

  it("come back as plain text, whatever they send", async (t) => {
    const { view, read } = await createSite(t);
    await view("/about/%3Cscript%3E%07%e2%80%ae", "203.0.113.1", { referer: "https://<b>.example/x" });
    await view(`/about/${"x".repeat(8_000)}`, "203.0.113.1");
    const response = await readWhen(read, ({ totals }) => totals.views === 2);
    assert.ok(response.pages.some(({ name }) => name.startsWith("/about/<script>")));
    assert.match(String((await read()).headers["content-type"]), /^application\/json/);
    for (const { name } of response.pages) {
      assert.ok(name.length <= 201, `${name.length}`);
      assert.doesNotMatch(name, /\p{Cc}|\u202e/u);
    }
  });

  it("are not read if nothing requests them", async (t) => {
    const { view, read } = await createSite(t, { visitors: { enabled: false } });
    await view("/", "203.0.113.1");
    assert.deepEqual((await read()).json(), { enabled: false });
    assert.equal((await read(".csv")).status, 404);
  });

  it("are left out when they ask for it and the application honours that", async (t) => {
    const { view, read } = await createSite(t, { visitors: { honourDoNotTrack: true } });
    await view("/", "203.0.113.1", { dnt: "1" });
    await view("/", "203.0.113.2", { "sec-gpc": "1" });
    await view("/", "203.0.113.3");
    assert.equal((await readWhen(read, ({ totals }) => totals.views > 0)).totals.views, 1);
  });
});
