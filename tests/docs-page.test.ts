// API_SOURCE
// The example marks its files, so that the handlers in this file are only read if it is marked, too.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, describe, it, type TestContext } from "node:test";
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { createTodosApp } from "../examples/todos/app.ts";
import { APIVersionManager, type App, createApp, type RequestEvent, requireAuth } from "../src/index.ts";
import { until } from "../src/lib/testing/until.ts";
import { checkLooks, checkWidth, phone } from "./support/accessibility.ts";
import { launchBrowser, openWindow } from "./support/browser.ts";
import { buildDocsPage, type DocsPageOptions, openDocsPage } from "./support/docs-page.ts";
import { createFolder } from "./support/program.ts";

const dataDir = createFolder({ after });
const app = createTodosApp({ port: 0, dataDir, signals: false, log: { destination: `${dataDir}/log` } });
/** For the tests that need only its routes, and nothing that the source says. */
const whoAmIApp = createWhoAmIApp({ dev: false });
let browser: Browser;
let url: string;
let whoAmIUrl: string;
let key: string;
before(async () => {
  await buildDocsPage();
  browser = await launchBrowser();
  url = (await app.start()).url;
  whoAmIUrl = (await whoAmIApp.start()).url;
  const response = await app.inject({ method: "POST", url: "/api/v1/people", body: { name: "Ada" } });
  key = response.json<{ key: string }>().key;
  const read = async () => (await fetch(`${url}/api/docs/v2/openapi.json`)).text();
  await until("the source is analyzed", read, (text) => text.includes("Adds a todo."));
});
after(async () => {
  await browser.close();
  await Promise.all([app.stop(), whoAmIApp.stop()]);
});

const openPage = (t: TestContext, path: string, options?: DocsPageOptions) =>
  openDocsPage(t, browser, url + path, options);

const endpoint = (page: Page, route: string) => page.locator(`[data-route="${route}"]`);
const received = (page: Page) => page.locator(".received");
const query = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

async function send(page: Page, method: string, status: number): Promise<string> {
  await page.getByRole("button", { name: `Send ${method}` }).click();
  await received(page)
    .locator(".status", { hasText: String(status) })
    .waitFor();
  return received(page).innerText();
}

const isDark = async (page: Page) => {
  const color = await page.evaluate<string>("getComputedStyle(document.documentElement).backgroundColor");
  const parts = color.match(/\d+/g)!.map(Number);
  return parts.slice(0, 3).reduce((sum, part) => sum + part, 0) < 200;
};

/** As in a browser that does not know the preference of the system: rules that ask for it do not apply. */
const removePreference = (page: Page) =>
  page.evaluate(`for (const sheet of document.styleSheets)
    for (let index = sheet.cssRules.length - 1; index >= 0; index--)
      if (sheet.cssRules[index].media?.mediaText.includes("prefers-color-scheme")) sheet.deleteRule(index)`);

describe("the documentation page", () => {
  it("shows what the API is, and its operations with a summary", async (t) => {
    const page = await openPage(t, "/api/docs/v2/swagger");
    await page.getByRole("heading", { level: 1, name: "Todos" }).waitFor();
    await page.getByText("Todos with owners, due dates, paging and search.").waitFor();
    const row = page.locator(".endpoint", { has: endpoint(page, "POST /api/v2/todos") });
    await row.getByText("Adds a todo.").waitFor();
    await row.getByText("signed in").waitFor();
    assert.equal(await page.title(), "Todos v2");
    assert.equal(await page.getByText("examples/todos").count(), 0, "no source locations");
  });

  it("is dark unless the system prefers light, and can be switched", async (t) => {
    const page = await openPage(t, "/api/docs/v2/swagger", { colorScheme: "dark" });
    assert.equal(await isDark(page), true);
    await page.emulateMedia({ colorScheme: "light" });
    assert.equal(await isDark(page), false, "follows the system");
    await removePreference(page);
    assert.equal(await isDark(page), true, "without a preference");
    const other = await openPage(t, "/api/docs/v2/swagger", { colorScheme: "light" });
    await other.getByRole("button", { name: "Switch to the dark theme" }).click();
    assert.equal(await isDark(other), true);
    await other.reload();
    assert.equal(await isDark(other), true, "and remembers");
    await other.getByRole("button", { name: "Switch to the light theme" }).click();
    await other.emulateMedia({ colorScheme: "dark" });
    await other.reload();
    assert.equal(await isDark(other), true, "the choice of the system's theme follows the system");
  });

  it("is printed in the light theme, whatever was chosen", async (t) => {
    const page = await openPage(t, "/api/docs/v2/swagger", { colorScheme: "light" });
    await page.getByRole("button", { name: "Switch to the dark theme" }).click();
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    await page.emulateMedia({ media: "print" });
    const ink = await page.evaluate<string>("getComputedStyle(document.body).color");
    assert.match(ink, /^rgb\(27, 31, 42\)$/);
  });

  it("sends a request with a token, remembers it until the tab is closed, and shows the response", async (t) => {
    const page = await openPage(t, "/api/docs/v1/swagger?op=whoAmI", { expected: /status of 401/ });
    await send(page, "GET", 401);
    await page.getByLabel("Bearer token").fill(key);
    assert.match(await send(page, "GET", 200), /"Ada"/);
    await page.reload();
    assert.match(await send(page, "GET", 200), /"Ada"/);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await send(other, "GET", 401);
  });

  it("writes the request for four languages, without the secret", async (t) => {
    const page = await openPage(t, "/api/docs/v2/swagger?op=createTodo");
    await page.getByLabel("Bearer token").fill("very-secret");
    const sample = async (language: string) => {
      await page.getByRole("button", { name: language, exact: true }).click();
      return (await page
        .getByRole("region", { name: `Request with ${language}`, exact: true })
        .textContent())!;
    };
    assert.match(await sample("curl"), /-H "Authorization: Bearer \$TOKEN"/);
    assert.match(await sample("fetch"), /"Authorization": "Bearer " \+ token/);
    assert.match(await sample("Python"), /"Authorization": "Bearer " \+ os\.environ\["TOKEN"\]/);
    assert.match(await sample("Go"), /"Bearer "\+os\.Getenv\("TOKEN"\)/);
    assert.doesNotMatch(await page.locator("body").innerText(), /very-secret/);
  });

  it("finds operations and schemas, links to each, and switches versions", async (t) => {
    const page = await openPage(t, "/api/docs/v2/swagger");
    const shown = () =>
      page.locator("[data-route]").evaluateAll((all) => all.map((each) => each.dataset.route));
    await page.keyboard.press("/");
    await page.keyboard.type("statistic");
    await until("one operation", shown, (routes) => routes.length === 1);
    await endpoint(page, "GET /api/v2/statistics").click();
    await page.getByRole("heading", { level: 1, name: "GET /api/v2/statistics" }).waitFor();
    assert.deepEqual(query(page), { q: "statistic", op: "getStatistics" });
    await page.locator("main:focus").waitFor();
    assert.match(await page.title(), / · Todos v2$/);

    await page.goto(`${url}/api/docs/v2/swagger?q=owner`);
    await page.getByRole("link", { name: "Todo", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Todo" }).waitFor();
    await page.getByRole("link", { name: "POST /api/v2/todos", exact: true }).click();
    await page.getByRole("button", { name: "Send POST" }).waitFor();
    await page.getByLabel("Version").selectOption("v1");
    await page.waitForURL(/\/api\/docs\/v1\/swagger\?op=createTodo$/);
    await page.getByRole("heading", { level: 1, name: "POST /api/v1/todos" }).waitFor();
  });

  it("opens links to Swagger UI, and explains links to what is not there", async (t) => {
    const page = await openPage(t, "/api/docs/v2/swagger#/todos/createTodo");
    await page.getByRole("heading", { level: 1, name: "POST /api/v2/todos" }).waitFor();
    await page.goto(`${url}/api/docs/v2/swagger?op=nothing`);
    await page.getByText("v2 has no operation nothing").waitFor();
    await page.getByRole("link", { name: "All endpoints of v2" }).click();
    await page.getByRole("heading", { level: 1, name: "Todos" }).waitFor();
    await page.goto(`${url}/api/docs/v2/swagger?schema=nothing`);
    await page.getByText("v2 has no schema nothing").waitFor();
  });

  it("prints every operation and schema, whatever is open", async (t) => {
    const page = await openPage(t, "/api/docs/v2/swagger?op=createTodo");
    await page.getByRole("button", { name: "Send POST" }).waitFor();
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    await page.emulateMedia({ media: "print" });
    const text = await page.locator("body").innerText();
    for (const part of ["/todos/export", "/statistics", "CreateTodoInput", "1–200 characters", "curl"]) {
      assert.ok(text.includes(part), part);
    }
    assert.equal(await page.getByRole("button", { name: "Send POST" }).isVisible(), false);
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    assert.equal(await page.locator(".printed").innerHTML(), "");
  });

  it("says so when the document cannot be read, and tries again", async (t) => {
    const context = await openWindow(browser);
    t.after(() => context.close());
    const page = await context.newPage();
    await page.route("**/openapi.json", (route) => route.fulfill({ status: 500, body: "" }));
    await page.goto(`${url}/api/docs/v2/swagger`);
    await page.getByText("the server responded with 500").waitFor();
    await page.unroute("**/openapi.json");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { level: 1, name: "Todos" }).waitFor();
  });

  it("shows the current document when one returns to it", async (t) => {
    const page = await openPage(t, "/api/docs/v2/swagger");
    await page.route("**/openapi.json", async (route) => {
      const real = await route.fetch();
      const document = await real.json();
      document.info.title = "Todos, edited";
      await route.fulfill({ response: real, json: document });
    });
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.getByRole("heading", { level: 1, name: "Todos, edited" }).waitFor();
  });

  it("shows any text as text", async (t) => {
    const context = await openWindow(browser, { viewport: { width: 390, height: 800 } });
    t.after(() => context.close());
    const page = await context.newPage();
    const evil = `<img src=x onerror="document.title='broken'">${"x".repeat(300)} [run](javascript:alert(1))`;
    await page.route("**/openapi.json", async (route) => {
      const real = await route.fetch();
      const document = await real.json();
      document.info.description = evil;
      document.info.contact = { name: evil, url: "javascript:alert(1)" };
      Object.assign(document.paths["/todos"].get, { summary: evil, description: evil, tags: [evil] });
      document.components.securitySchemes[evil] = { type: "http", scheme: "basic", description: evil };
      await route.fulfill({ response: real, json: document });
    });
    await page.goto(`${url}/api/docs/v2/swagger`);
    await page.locator(".endpoint").first().waitFor();
    await checkWidth(page);
    assert.equal(await page.locator("img").count(), 0);
    assert.equal(await page.locator("a[href^='javascript']").count(), 0);
    await page.goto(`${url}/api/docs/v2/swagger?op=listTodos`);
    await page.locator(".operation-text").waitFor();
    await checkWidth(page);
    assert.notEqual(await page.title(), "broken");
  });

  it("is accessible at every width and in both themes", async (t) => {
    const viewports = [320, 390, 834, 1024, 1440].map((width) => ({ width, height: 800 }));
    const page = await openPage(t, "/api/docs/v2/swagger", { viewport: phone });
    for (const place of ["", "?op=createTodo", "?schema=Todo"]) {
      await page.goto(`${url}/api/docs/v2/swagger${place}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await checkLooks(page, viewports);
    }
    await page.goto(`${url}/api/docs/versions`);
    await checkLooks(page, viewports);
  });

  it("is at most 90 KB, compressed", () => {
    const folder = new URL("../web/dist/docs/", import.meta.url);
    const files = readdirSync(folder).filter((name) => name !== "manifest.json");
    const sizes = files.map((name) => gzipSync(readFileSync(new URL(name, folder)), { level: 9 }).length);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(total > 20_000, "something was measured");
    assert.ok(total <= 90_000, `It is ${total} bytes.`);
  });
});

describe("the list of versions in a browser", () => {
  it("shows public versions to everybody, and leads to their pages", async (t) => {
    const context = await openWindow(browser);
    t.after(() => context.close());
    const page = await context.newPage();
    await page.goto(`${url}/api/docs`);
    await page.waitForURL(`${url}/api/docs/versions`);
    await page.getByRole("heading", { level: 1, name: "API versions" }).waitFor();
    await page.getByText("Will be removed on 2027-12-31.").waitFor();
    await page.getByRole("link", { name: "Todos v1" }).click();
    await page.waitForURL(/\/api\/docs\/v1\/swagger$/);
  });
});

type Scheme = "apiKey" | "inQuery" | "session" | "hostCookie" | "token" | "basic";

/** Base64, because its padding must not be escaped in a cookie. */
const credential = "c2VjcmV0IQ==";

const readers: Record<Scheme, (e: RequestEvent) => string | undefined> = {
  apiKey: (e) => e.header("x-api-key"),
  inQuery: (e) => e.query("key") || undefined,
  session: (e) => e.cookie("sid"),
  hostCookie: (e) => e.cookie("__Host-sid"),
  token: (e) => /^Bearer (.*)/.exec(e.header("authorization") ?? "")?.[1],
  basic: (e) => /^Basic (.*)/.exec(e.header("authorization") ?? "")?.[1],
};
const schemes = Object.keys(readers) as Scheme[];

function whoAmI(e: RequestEvent) {
  return e.json(200, e.auth);
}

function readTheme(e: RequestEvent) {
  return e.json(200, { theme: e.cookie("theme") ?? "none" });
}

/** Each route needs an identity; which credential gave it is part of the response. */
function createVersions(): APIVersionManager {
  const versions = new APIVersionManager();
  versions.registerVersion("v1", {
    publicSwagger: true,
    securitySchemes: {
      apiKey: { type: "apiKey", in: "header", name: "X-API-Key" },
      inQuery: { type: "apiKey", in: "query", name: "key" },
      session: { type: "apiKey", in: "cookie", name: "sid" },
      hostCookie: { type: "apiKey", in: "cookie", name: "__Host-sid" },
      token: { type: "http", scheme: "bearer" },
      basic: { type: "http", scheme: "basic" },
    },
  });
  versions.setVersionRouteRegistrar("v1", (router) => {
    const api = router.setPrefix("/api/v1");
    for (const scheme of schemes) api.get(`/by/${scheme}`, whoAmI).bind(requireAuth({ scheme }));
    api.get("/theme", readTheme);
  });
  return versions;
}

function createWhoAmIApp({ dev }: { dev: boolean }): App {
  const folder = createFolder({ after });
  const log = { destination: `${folder}/log` };
  const created = createApp({
    port: 0,
    dataDir: folder,
    signals: false,
    dev,
    log,
    versions: createVersions(),
  });
  created.authenticate((e) => {
    const scheme = schemes.find((each) => readers[each](e) !== undefined);
    return scheme && readers[scheme](e) === credential ? { id: "ada", scheme } : null;
  });
  return created;
}

describe("a request from the documentation page", () => {
  const openOperation = async (t: TestContext, path: string, server = whoAmIUrl) => {
    const page = await openDocsPage(t, browser, `${server}/api/docs/v1/swagger`, {
      expected: /status of 401/,
    });
    await endpoint(page, `GET /api/v1${path}`).click();
    await page.getByRole("button", { name: "Send GET" }).waitFor();
    return page;
  };
  const fill = (page: Page, scheme: Scheme) => page.getByLabel(new RegExp(`^${scheme} `)).fill(credential);

  for (const scheme of schemes.filter((each) => each !== "basic")) {
    it(`has an identity by ${scheme}, until the credential is cleared`, async (t) => {
      const page = await openOperation(t, `/by/${scheme}`);
      await send(page, "GET", 401);
      await fill(page, scheme);
      assert.match(await send(page, "GET", 200), new RegExp(`"scheme": "${scheme}"`));
      await page.getByRole("button", { name: `Clear ${scheme}` }).click();
      await send(page, "GET", 401);
    });
  }

  it("has a user name and a password for basic authentication", async (t) => {
    const page = await openOperation(t, "/by/basic");
    await page.getByLabel("User name for basic").fill("ada");
    await page.getByLabel("Password for basic").fill("pass:wörd");
    const sent = page.waitForRequest(/\/by\/basic$/);
    await send(page, "GET", 401);
    const { authorization } = await (await sent).allHeaders();
    assert.equal(authorization, `Basic ${Buffer.from("ada:pass:wörd").toString("base64")}`);
  });

  it("leaves no cookie behind, and those of the application as they are", async (t) => {
    const page = await openOperation(t, "/by/session");
    await page.context().addCookies([{ name: "sid", value: "expired", url: whoAmIUrl, httpOnly: true }]);
    await fill(page, "session");
    await send(page, "GET", 200);
    const left = await page.context().cookies();
    assert.deepEqual(
      left.map(({ name, value, path, httpOnly }) => ({ name, value, path, httpOnly })),
      [{ name: "sid", value: "expired", path: "/", httpOnly: true }],
    );
  });

  it("has the cookie of a browser that is signed in", async (t) => {
    const page = await openOperation(t, "/by/session");
    await page.context().addCookies([{ name: "sid", value: credential, url: whoAmIUrl, httpOnly: true }]);
    await send(page, "GET", 200);
  });

  it("has the cookies that are parameters", async (t) => {
    const analyzed = createWhoAmIApp({ dev: true });
    t.after(() => analyzed.stop());
    const server = (await analyzed.start()).url;
    const read = async () => (await fetch(`${server}/api/docs/v1/openapi.json`)).text();
    await until("the document has the cookie", read, (text) => text.includes('"name":"theme","in":"cookie"'));
    const page = await openOperation(t, "/theme", server);
    await page.getByLabel("Value of theme").fill("dark");
    assert.match(await send(page, "GET", 200), /"theme": "dark"/);
  });
});
