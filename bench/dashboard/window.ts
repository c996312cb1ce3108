import type { Browser, BrowserContext, Page } from "playwright-core";

/** As in `server.ts`, which is not imported because it starts something. */
const account = { email: "ada@example.com", password: "correct horse battery staple" };

/** A window of its own, signed in. */
export async function openWindow(
  browser: Browser,
  url: string,
  prepare?: (context: BrowserContext) => Promise<unknown>,
) {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } });
  await prepare?.(context);
  const page: Page = await context.newPage();
  await page.goto("/_/_");
  await page.fill("[name=identity]", account.email);
  await page.fill("[name=password]", account.password);
  await page.click("main button");
  await page.waitForSelector("main h1");
  return { context, page };
}

export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
