import assert from "node:assert/strict";
import { after, before, describe, it, type TestContext } from "node:test";
import type { Browser, Page } from "playwright-core";
import { createTodosApp } from "../examples/todos/app.ts";
import { until } from "../src/lib/testing/until.ts";
import { launchBrowser, openWindow } from "./support/browser.ts";
import { type DocsPageOptions, openDocsPage } from "./support/docs-page.ts";
import { createFolder } from "./support/program.ts";

const dataDir = createFolder({ after });
const app = createTodosApp({ port: 0, dataDir, signals: false, log: { destination: `${dataDir}/log` } });
let browser: Browser;
let url: string;
let key: string;
before(async () => {
  browser = await launchBrowser();
  url = (await app.start()).url;
  const response = await app.inject({ method: "POST", url: "/api/v1/people", body: { name: "Ada" } });
  key = response.json<{ key: string }>().key;
});
after(async () => {
  await browser.close();
  await app.stop();
});

const openPage = (t: TestContext, address: string, options?: DocsPageOptions) =>
  openDocsPage(t, browser, address, options);

const isDark = async (page: Page) => {
  const color = await page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
  const parts = color.match(/\d+/g)!.map(Number);
  return parts.slice(0, 3).reduce((sum, part) => sum + part, 0) < 200;
};

async function untilCount(page: Page, wanted: number): Promise<void> {
  const count = () => page.locator(".opblock").count();
  await until(`${wanted} operations`, count, (shown) => shown === wanted);
}

describe("the documentation page", () => {
  it("opens dark, or light where the system is, and can be switched", async (t) => {
    const address = `${url}/api/docs/v2/swagger`;
    assert.equal(await isDark(await openPage(t, address, { colorScheme: "dark" })), true);
    const page = await openPage(t, address, { colorScheme: "light" });
    assert.equal(await isDark(page), false);
    await page.click("#annex-theme");
    assert.equal(await isDark(page), true);
    await page.reload();
    assert.equal(await isDark(page), true, "and remembers");
  });

  it("sends a request with a token, and shows the real response", async (t) => {
    const page = await openPage(t, `${url}/api/docs/v1/swagger`);
    await page.click(".btn.authorize");
    await page.fill('.auth-container input[aria-label="auth-bearer-value"], .auth-container input', key);
    await page.click(".auth-btn-wrapper .btn.authorize");
    await page.click(".auth-btn-wrapper .btn-done");
    await page.click("#operations-people-whoAmI .opblock-summary-control");
    await page.click("#operations-people-whoAmI .execute");
    await page.waitForSelector("#operations-people-whoAmI .live-responses-table .response-col_status");
    const response = await page.textContent("#operations-people-whoAmI .live-responses-table");
    assert.match(response!, /200/);
    assert.match(response!, /"Ada"/);
    assert.match(
      await page.textContent("#operations-people-whoAmI .request-url")!.then(String),
      /\/api\/v1\/people\/me/,
    );
  });

  it("finds operations by what they are called, links to each, and switches versions", async (t) => {
    const page = await openPage(t, `${url}/api/docs/v2/swagger`);
    const count = () => page.locator(".opblock").count();
    const all = await count();
    await page.fill(".operation-filter-input", "statist");
    await untilCount(page, 1);
    await page.fill(".operation-filter-input", "");
    await untilCount(page, all);
    await page.click("#operations-statistics-getStatistics .opblock-summary-control");
    await page.waitForURL(/#\/statistics\/getStatistics$/);
    await page.selectOption("#annex-version", "v1");
    await page.waitForURL(/\/api\/docs\/v1\/swagger/);
    await page.waitForSelector("#operations-people-addPerson");
  });

  it("fits a phone", async (t) => {
    const page = await openPage(t, `${url}/api/docs/v2/swagger`, { viewport: { width: 390, height: 800 } });
    assert.ok((await page.evaluate<number>("document.documentElement.scrollWidth")) <= 390);
  });

  it("says so when the document cannot be read", async (t) => {
    const context = await openWindow(browser);
    t.after(() => context.close());
    const page = await context.newPage();
    await page.route("**/openapi.json", (route) => route.fulfill({ status: 500, body: "" }));
    await page.goto(`${url}/api/docs/v2/swagger`);
    await page.waitForSelector(".annex-note >> text=the server returned 500");
  });
});
