import assert from "node:assert/strict";
import { after, before, describe, it, type TestContext } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { createTodosApp } from "../examples/todos/app.ts";
import { launchBrowser, openWindow } from "./support/browser.ts";
import { createFolder } from "./support/program.ts";

let browser: Browser;
before(async () => {
  browser = await launchBrowser();
});
after(() => browser.close());

/** The example's first page in a window of its own. The test fails if a script does, or a policy is broken. */
async function openHome(t: TestContext, options: BrowserContextOptions = {}): Promise<Page> {
  const dataDir = createFolder(t);
  const app = createTodosApp({ port: 0, dataDir, signals: false, log: { destination: `${dataDir}/log` } });
  t.after(() => app.stop());
  const { url } = await app.start();
  const context = await openWindow(browser, { viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    // A browser also tells of every answer that is an error, and some here are meant to be.
    if (message.type() === "error" && !/Failed to load resource/.test(message.text()))
      complaints.push(message.text());
  });
  t.after(async () => {
    await context.close();
    assert.deepEqual(complaints, []);
  });
  await page.goto(url);
  return page;
}

describe("the first page of the example", () => {
  it("lists the todos, and adds what people write as text", async (t) => {
    const page = await openHome(t);
    await page.getByText("Nothing yet.").waitFor();
    await page.getByLabel("New todo").fill("<b>Write</b>");
    await page.getByRole("button", { name: "Add" }).click();
    await page.getByText("○ <b>Write</b>").waitFor();
    await page.evaluate('localStorage.setItem("todos-key", "of another server")');
    await page.getByLabel("New todo").fill("Read");
    await page.getByRole("button", { name: "Add" }).click();
    await page.getByText("○ Read").waitFor();
  });

  const buttons: [name: string, status: string][] = [
    ["Count the todos", "✓ 200"],
    ["A slow response", "✓ 200"],
    ["A todo that does not exist", "! 404"],
    ["Make it fail", "✕ 500"],
  ];
  it("sends successful and failing requests, and shows their trace IDs", async (t) => {
    const page = await openHome(t);
    await page.getByText("Nothing yet.").waitFor();
    for (const [name, status] of buttons) {
      const received = page.waitForResponse(() => true);
      await page.getByRole("button", { name }).click();
      const traceId = (await received).headers()["x-trace-id"]!;
      const line = page.locator("#answers li", { hasText: traceId });
      await line.waitFor();
      assert.equal(await line.locator("b").textContent(), status, name);
    }
  });

  for (const colorScheme of ["dark", "light"] as const) {
    it(`fits on a phone, ${colorScheme}`, async (t) => {
      const page = await openHome(t, { viewport: { width: 390, height: 844 }, colorScheme });
      await page.getByRole("button", { name: "20 concurrent requests" }).click();
      await page.locator("#answers li").nth(7).waitFor();
      await page.locator("[aria-busy]").waitFor({ state: "detached" });
      assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 390);
      const ground = await page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
      assert.equal(Number(/\d+/.exec(ground)) < 100, colorScheme === "dark", ground);
    });
  }
});
