import assert from "node:assert/strict";
import { after, before, describe, it, type TestContext } from "node:test";
import type { Browser, Page } from "playwright-core";
import { APIVersionManager, type App, createApp, type RequestEvent, requireAuth } from "../src/index.ts";
import { until } from "../src/lib/testing/until.ts";
import { launchBrowser } from "./support/browser.ts";
import { openDocsPage } from "./support/docs-page.ts";
import { createFolder } from "./support/program.ts";

let browser: Browser;
/** For the tests that need only its routes, and nothing that the source says. */
let app: App;
let url: string;
before(async () => {
  browser = await launchBrowser();
  app = createWhoAmIApp({ dev: false });
  url = (await app.start()).url;
});
after(async () => {
  await browser.close();
  await app.stop();
});

type Scheme = "apiKey" | "session" | "hostCookie" | "token";

/** Base64, because its padding is what Swagger UI escapes in a cookie. */
const credential = "c2VjcmV0IQ==";

const readers: Record<Scheme, (e: RequestEvent) => string | undefined> = {
  apiKey: (e) => e.header("x-api-key"),
  session: (e) => e.cookie("sid"),
  hostCookie: (e) => e.cookie("__Host-sid"),
  token: (e) => e.header("authorization")?.replace(/^Bearer /, ""),
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
      session: { type: "apiKey", in: "cookie", name: "sid" },
      hostCookie: { type: "apiKey", in: "cookie", name: "__Host-sid" },
      token: { type: "http", scheme: "bearer" },
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
  const dataDir = createFolder({ after });
  const log = { destination: `${dataDir}/log` };
  const created = createApp({ port: 0, dataDir, signals: false, dev, log, versions: createVersions() });
  created.authenticate((e) => {
    const scheme = schemes.find((each) => readers[each](e) !== undefined);
    return scheme && readers[scheme](e) === credential ? { id: "ada", scheme } : null;
  });
  return created;
}

const openPage = (t: TestContext, server = url) =>
  openDocsPage(t, browser, `${server}/api/docs/v1/swagger`, { expected: /status of 401/ });

async function authorize(page: Page, scheme: Scheme, value = credential): Promise<void> {
  await page.click(".auth-wrapper .btn.authorize");
  const form = page.locator(".auth-container", { hasText: `${scheme} (` });
  await form.locator("input").fill(value);
  await form.locator(".btn.authorize").click();
  await form.locator("text=Logout").waitFor();
  await page.click(".auth-btn-wrapper .btn-done >> visible=true");
}

async function logOut(page: Page, scheme: Scheme): Promise<void> {
  await page.click(".auth-wrapper .btn.authorize");
  const form = page.locator(".auth-container", { hasText: `${scheme} (` });
  await form.locator("text=Logout").click();
  await form.locator("input").waitFor();
  await page.click(".auth-btn-wrapper .btn-done >> visible=true");
}

const operationAt = (page: Page, path: string) =>
  page.locator(".opblock", { has: page.locator(`[data-path="${path}"]`) });

async function open(page: Page, path: string): Promise<void> {
  await operationAt(page, path).locator(".opblock-summary-control").click();
}

/** Sends the request of an open operation. */
async function execute(page: Page, path: string, status: number): Promise<string> {
  const operation = operationAt(page, path);
  await operation.locator(".execute").click();
  const shown = operation.locator(".live-responses-table tbody .response-col_status");
  await until(
    `${path} shows ${status}`,
    async () => ((await shown.count()) > 0 ? shown.first().innerText() : ""),
    (text) => text.startsWith(String(status)),
  );
  return operation.locator(".responses-inner").innerText();
}

describe("a request from the documentation page", () => {
  for (const scheme of schemes) {
    it(`has an identity by ${scheme} from Authorize to Logout`, async (t) => {
      const page = await openPage(t);
      const path = `/by/${scheme}`;
      await open(page, path);
      await execute(page, path, 401);
      await authorize(page, scheme);
      assert.match(await execute(page, path, 200), new RegExp(`"scheme": "${scheme}"`));
      await logOut(page, scheme);
      await execute(page, path, 401);
    });
  }

  it("shows the cookie in its curl command as it was entered", async (t) => {
    const page = await openPage(t);
    await authorize(page, "session");
    await open(page, "/by/session");
    assert.ok((await execute(page, "/by/session", 200)).includes(`'Cookie: sid=${credential}'`));
  });

  it("leaves no cookie behind, and those of the application as they are", async (t) => {
    const page = await openPage(t);
    const own = { name: "sid", value: "expired", url, httpOnly: true };
    await page.context().addCookies([own]);
    await authorize(page, "session");
    await open(page, "/by/session");
    await execute(page, "/by/session", 200);
    const left = await page.context().cookies();
    assert.deepEqual(
      left.map(({ name, value, path, httpOnly }) => ({ name, value, path, httpOnly })),
      [{ name: "sid", value: "expired", path: "/", httpOnly: true }],
    );
  });

  it("has the cookie of a browser that is signed in, without Authorize", async (t) => {
    const page = await openPage(t);
    await page.context().addCookies([{ name: "sid", value: credential, url, httpOnly: true }]);
    await open(page, "/by/session");
    await execute(page, "/by/session", 200);
  });

  it("has the cookies that are parameters", async (t) => {
    const analyzed = createWhoAmIApp({ dev: true });
    t.after(() => analyzed.stop());
    const server = (await analyzed.start()).url;
    const read = async () => (await fetch(`${server}/api/docs/v1/openapi.json`)).text();
    await until("the document has the cookie", read, (text) => text.includes('"name":"theme","in":"cookie"'));
    const page = await openPage(t, server);
    await open(page, "/theme");
    await operationAt(page, "/theme").locator('[data-param-name="theme"] input').fill("dark");
    assert.match(await execute(page, "/theme", 200), /"theme": "dark"/);
  });
});
