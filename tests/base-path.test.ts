import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import type { Page } from "playwright-core";
import { createTestApp } from "../src/app/testing/test-app.ts";
import { APIVersionManager, type AppOptions } from "../src/index.ts";
import { until } from "../src/lib/testing/until.ts";
import { account, useDashboard } from "./support/dashboard.ts";
import { openDocsPage } from "./support/docs-page.ts";
import { listOwnRoutes } from "./support/route-list.ts";

const basePath = "/internal/tools";

function createVersions(): APIVersionManager {
  const versions = new APIVersionManager();
  versions.registerVersion("v1", {
    publicSwagger: true,
    status: "deprecated",
    sunset: "2030-01-01T00:00:00Z",
  });
  versions.setVersionRouteRegistrar("v1", (router) => {
    router.get("/api/v1/todos", (e) => e.json(200, []));
  });
  return versions;
}

async function createMoved(t: TestContext, options: AppOptions = {}) {
  const app = createTestApp(t, { basePath, dev: false, versions: createVersions(), ...options });
  app.onServe(({ router }) => {
    router.get("/_/_", (e) => e.text(200, "the application's own"));
    router.get("/api/health", (e) => e.text(200, e.basePath));
    router.get("/api/cron/{rest...}", (e) => e.text(200, "cron of the application"));
  });
  return app;
}

describe("the base path", () => {
  it("moves all routes of Annex, and none of the application", async (t) => {
    const app = await createMoved(t);
    const status = async (url: string) => (await app.inject({ url })).status;
    assert.equal(
      (await app.inject({ url: `${basePath}/api/health` })).json<{ status: string }>().status,
      "healthy",
    );
    assert.equal(await status(`${basePath}/_/assets/pages.css`), 200);
    assert.equal(await status(`${basePath}/api/cron/jobs`), 401);
    // Unknown paths of the API need a superuser, too.
    assert.equal(await status(`${basePath}/api/cron/unknown`), 401);
    assert.equal(await status(`${basePath}/api/docs/v1/openapi.json`), 200);
    assert.equal(await status(`${basePath}/api/v1/todos`), 404);
    assert.equal((await app.inject({ url: "/_/_" })).body, "the application's own");
    assert.equal((await app.inject({ url: "/api/health" })).body, basePath);
    assert.equal((await app.inject({ url: "/api/cron/jobs" })).body, "cron of the application");
    assert.equal(await status("/api/v1/todos"), 200);
    assert.equal(await status("/_/assets/pages.css"), 404);
  });

  it("moves every registered route", () => {
    const paths = listOwnRoutes({ basePath }).map(({ path }) => path);
    assert.deepEqual(
      paths,
      listOwnRoutes().map(({ path }) => basePath + path),
    );
  });

  it("reserves the moved prefixes", async (t) => {
    const app = createTestApp(t, { basePath });
    app.onServe(({ router }) => router.get(`${basePath}/_/mine`, (e) => e.noContent()));
    await assert.rejects(app.inject({ url: "/" }), /the prefix \/internal\/tools\/_ is reserved for Annex/);
  });

  it("is part of redirects, links, forms and cookies", async (t) => {
    const app = await createMoved(t);
    const { url, setupUrl } = await app.start();
    assert.ok(setupUrl?.startsWith(`${url}${basePath}/_/?setup=`));
    const page = await (await fetch(setupUrl!)).text();
    const linked = [...page.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, path]) => path!);
    assert.ok(linked.length >= 3);
    assert.deepEqual(
      linked.filter((path) => !path.startsWith(`${basePath}/`)),
      [],
    );
    const get = (path: string) => fetch(url + path, { redirect: "manual", headers: { accept: "text/html" } });
    const locationOf = async (path: string) => (await get(path)).headers.get("location");
    const next = encodeURIComponent(`${basePath}/_/_/logs?range=1h`);
    assert.equal(await locationOf(`${basePath}/_/_/logs?range=1h`), `${basePath}/_/?next=${next}`);
    assert.equal(await locationOf(`${basePath}/_`), `${basePath}/_/`);
    assert.equal(await locationOf(`${basePath}/_/sign-in`), `${basePath}/_/`);
    assert.equal(
      await locationOf(`${basePath}/_/superusers/x/remove`),
      `${basePath}/_/?next=${encodeURIComponent(`${basePath}/_/superusers/x/remove`)}`,
    );
    assert.equal(await locationOf(`${basePath}/api/docs`), `${basePath}/api/docs/versions`);
    assert.match(await (await get("/unknown")).text(), /href="\/internal\/tools\/_\/assets\/pages\.css"/);

    await app.superusers.create(account.email, account.password);
    const signedIn = await fetch(`${url}${basePath}/_/sign-in`, {
      method: "POST",
      redirect: "manual",
      headers: { origin: url },
      body: new URLSearchParams({ identity: account.email, password: account.password }),
    });
    assert.deepEqual([signedIn.status, signedIn.headers.get("location")], [303, `${basePath}/_/_`]);
    const [cookie] = signedIn.headers.getSetCookie();
    // The session also authenticates at the application's own routes, and does not replace that of another base path.
    assert.match(cookie!, /^annex_session_internal_tools_\d+=.*; Path=\/;/);
  });

  it("is part of the URLs in responses", async (t) => {
    const app = await createMoved(t);
    await app.superusers.create(account.email, account.password);
    const login = await app.inject({
      method: "POST",
      url: `${basePath}/api/collections/_superusers/auth-with-password`,
      body: { identity: account.email, password: account.password },
    });
    const headers = { authorization: `Bearer ${login.json<{ token: string }>().token}` };
    const { versions } = (await app.inject({ url: `${basePath}/api/docs/versions`, headers })).json<{
      versions: { docs_url: string; swagger_url: string }[];
    }>();
    assert.deepEqual(
      [versions[0]?.docs_url, versions[0]?.swagger_url],
      [`${basePath}/api/docs/v1`, `${basePath}/api/docs/v1/swagger`],
    );
    const deprecated = await app.inject({ url: "/api/v1/todos" });
    assert.equal(deprecated.headers.link, `<${basePath}/api/docs/v1>; rel="sunset"`);
    // The document describes the application's routes, which are not moved.
    const { servers } = (await app.inject({ url: `${basePath}/api/docs/v1/openapi.json` })).json<{
      servers: { url: string }[];
    }>();
    assert.ok(servers.every(({ url }) => !url.includes(basePath)));
  });

  it("separates the sessions of two applications on one host", async (t) => {
    const cookieOf = async (path: string) => {
      const app = createTestApp(t, { basePath: path });
      await app.superusers.create(account.email, account.password);
      const { headers } = await app.inject({
        method: "POST",
        url: `${path}/_/sign-in`,
        headers: {
          host: "example.com",
          origin: "http://example.com",
          "content-type": "application/x-www-form-urlencoded",
        },
        body: new URLSearchParams({ identity: account.email, password: account.password }).toString(),
      });
      return headers["set-cookie"]![0]!.split("=")[0];
    };
    assert.deepEqual(
      [await cookieOf("/a"), await cookieOf("/b")],
      ["annex_session_a_80", "annex_session_b_80"],
    );
  });

  for (const value of ["internal", "/a//b", "/a b", "/a/../b", "/a?b", "//host", "/{id}", 7]) {
    it(`cannot be ${JSON.stringify(value)}`, (t) => {
      assert.throws(
        () => createTestApp(t, { basePath: value as string }),
        /Invalid value for option "basePath"/,
      );
    });
  }

  it("can end with a slash, and a slash alone is none", async (t) => {
    const health = async (given: string, url: string) =>
      (await createTestApp(t, { basePath: given }).inject({ url })).status;
    assert.equal(await health("/a/", "/a/api/health"), 200);
    assert.equal(await health("/", "/api/health"), 200);
  });
});

describe("the dashboard below a base path", () => {
  const dashboard = useDashboard();

  /** Requests of a page that do not go to the base path. */
  function watchOthers(page: Page, url: string): string[] {
    const others: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith(`${url}${basePath}/`) && !/^(data|blob):/.test(request.url()))
        others.push(request.url());
    });
    return others;
  }

  it("signs in, shows every page and signs out", async (t) => {
    const { open, url } = await dashboard.start(t, { basePath });
    const page = await open(`${basePath}/_/_/requests?range=1h`, { signedIn: false });
    const others = watchOthers(page, url);
    assert.ok(page.url().startsWith(`${url}${basePath}/_/?next=`));
    await page.getByLabel("Email").fill(account.email);
    await page.getByLabel("Password").fill(account.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(`${url}${basePath}/_/_/requests?range=1h`);
    await page.getByRole("heading", { level: 1, name: "Requests" }).waitFor();
    const names = await page
      .locator("nav a")
      .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
    assert.ok(names.length >= 9);
    for (const href of names) {
      assert.ok(href?.startsWith(`${basePath}/_/_`), String(href));
      await page.locator(`nav a[href="${href}"]`).first().click();
      await page.waitForURL(url + href);
      await page.locator("main h1").waitFor();
    }
    // A reload loads the page from the server.
    await page.reload();
    await page.locator("main h1").waitFor();
    await page.getByRole("link", { name: `Your account, ${account.email}` }).click();
    await page.getByRole("heading", { name: "Your account" }).waitFor();
    await page.getByRole("link", { name: "Dashboard" }).click();
    await page.waitForURL(`${url}${basePath}/_/_`);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("You are signed out.").waitFor();
    assert.deepEqual(others, []);
  });

  it("receives live data, follows runs, saves views and remembers the theme", async (t) => {
    const { open, url } = await dashboard.start(t, { basePath }, (app) => {
      app.jobs.registerJob("hello", "Say hello", "", "0 0 1 1 *", (log) => log.info("Hello from below"));
    });
    const page = await open(`${basePath}/_/_/cron`);
    const others = watchOthers(page, url);
    await Promise.all([page.waitForRequest(`${url}${basePath}/_/_/live`), page.reload()]);
    await page.getByRole("button", { name: "Run Say hello" }).click();
    await page.getByText("Hello from below").first().waitFor();
    await page.goto(`${url}${basePath}/_/_/logs?range=1h`);
    await page.getByRole("button", { name: "Saved views" }).click();
    await page.getByRole("button", { name: "Save this view…" }).click();
    await page.getByRole("dialog", { name: "Save this view" }).getByRole("button", { name: "Save" }).click();
    await page.goto(`${url}${basePath}/_/_`);
    await page.getByRole("button", { name: "Saved views" }).click();
    await page.getByRole("dialog", { name: "Saved views" }).getByRole("link").first().click();
    await page.waitForURL(`${url}${basePath}/_/_/logs?range=1h`);
    await page.getByRole("button", { name: "Switch to light" }).click();
    await page.reload();
    await page.getByRole("button", { name: "Switch to dark" }).waitFor();
    const cookies = await page.context().cookies(`${url}${basePath}/_/_`);
    assert.equal(cookies.find(({ name }) => name === "annex_theme")?.path, `${basePath}/_/`);
    assert.deepEqual(others, []);
  });

  it("has the documentation page", async (t) => {
    const { open, url } = await dashboard.start(t, { basePath });
    const versions = await open(`${basePath}/api/docs/versions`, { signedIn: true });
    const link = versions.getByRole("heading", { level: 2 }).getByRole("link").first();
    assert.match((await link.getAttribute("href"))!, /^\/internal\/tools\/(api\/docs|_\/_\/api)/);
    const browser = versions.context().browser()!;
    const page = await openDocsPage(t, browser, `${url}${basePath}/api/docs/v2/swagger`);
    await page.locator(".endpoint a").first().click();
    await until("the operation is open", () => new URL(page.url()).searchParams.has("op"));
    assert.equal(new URL(page.url()).pathname, `${basePath}/api/docs/v2/swagger`);
  });
});
