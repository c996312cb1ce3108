import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { buildWeb } from "../../scripts/build-web.ts";
import { openWindow } from "./browser.ts";

/** A whole run has built it already. */
export async function buildDocsPage(): Promise<void> {
  await buildWeb();
}

export interface DocsPageOptions extends BrowserContextOptions {
  /** Errors in the console that the test provokes. */
  readonly expected?: RegExp;
}

/** The page in a window of its own. The test fails if it complains, or asks any other server for anything. */
export async function openDocsPage(
  t: TestContext,
  browser: Browser,
  address: string,
  { expected, ...options }: DocsPageOptions = {},
): Promise<Page> {
  const context = await openWindow(browser, { viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && !expected?.test(message.text())) complaints.push(message.text());
  });
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== "data:" && origin !== new URL(address).origin) complaints.push(`asked ${request.url()}`);
  });
  t.after(async () => {
    await context.close();
    assert.deepEqual(complaints, []);
  });
  await page.goto(address);
  await page.waitForSelector(".endpoint", { state: "attached" });
  return page;
}
