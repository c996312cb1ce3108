import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, it, type TestContext } from "node:test";
import type { Browser, Page } from "playwright-core";
import { createTemporaryFolder } from "../../src/lib/testing/temporary-folder.ts";
import { checkAccessibility, checkWidth, desktop, phone } from "../../tests/support/accessibility.ts";
import { untilChecked } from "../../tests/support/analysis.ts";
import { launchBrowser, openWindow } from "../../tests/support/browser.ts";
import { createShopApp } from "./app.ts";

let browser: Browser;
before(async () => {
  browser = await launchBrowser();
});
after(() => browser.close());

/** The page in a window of its own. The test fails if a script does, or a policy is broken. */
async function openShop(t: TestContext, viewport: { width: number; height: number }): Promise<Page> {
  const dataDir = createTemporaryFolder();
  const app = createShopApp({
    port: 0,
    dataDir,
    signals: false,
    cron: { run: false },
    log: { destination: join(dataDir, "log"), store: false },
  });
  t.after(() => app.stop());
  const { url } = await app.start();
  await untilChecked(`${url}/api/v1/products`);
  const context = await openWindow(browser, { viewport });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    // The browser reports the response 401 before the user has signed in.
    if (message.type() === "error" && !/Failed to load resource/.test(message.text()))
      problems.push(message.text());
  });
  t.after(async () => {
    await context.close();
    assert.deepEqual(problems, []);
  });
  await page.goto(url);
  return page;
}

async function signUp(page: Page): Promise<void> {
  const form = page.locator("#account");
  await form.getByLabel("Name").fill("Ada");
  await form.getByLabel("Email").fill("ada@example.com");
  await form.getByLabel("Password").fill("correct horse");
  await form.getByRole("button", { name: "Create account" }).click();
  await page.getByText("Signed in as Ada").waitFor();
}

async function addProduct(page: Page, name: string): Promise<void> {
  const form = page.locator("#product");
  await form.getByLabel("Name").fill(name);
  await form.getByLabel("Price in cents").fill("250");
  const buffer = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  await form.getByLabel("Photo").setInputFiles({ name: "photo.png", mimeType: "image/png", buffer });
  await form.getByRole("button", { name: "Add product" }).click();
}

describe("the page of the shop", () => {
  it("sells a product and shows its order, its photo and messages", async (t) => {
    const page = await openShop(t, desktop);
    await signUp(page);
    await addProduct(page, "<b>Lamp</b>");
    await page.getByText("<b>Lamp</b>, 2.50 €, 10 left").waitFor();
    await page.waitForFunction("document.querySelector('img')?.naturalWidth === 1");
    await page.getByRole("button", { name: "Order <b>Lamp</b>" }).click();
    await page.getByText("1 × 2.50 €: placed").waitFor();
    await page.getByText("9 left").waitFor();
    await page.getByLabel("Message").fill("Hello");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Ada: Hello").waitFor();
    await checkAccessibility(page);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Email").fill("ada@example.com");
    await page.getByLabel("Password").fill("correct horse");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("1 × 2.50 €: placed").waitFor();
  });

  it("fits on a phone", async (t) => {
    const page = await openShop(t, phone);
    await signUp(page);
    await addProduct(page, "Lamp");
    await page.getByText("Lamp, 2.50 €").waitFor();
    await checkWidth(page);
  });
});
