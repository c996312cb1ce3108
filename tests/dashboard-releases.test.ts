import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it, type TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { Page } from "playwright-core";
import { createTodosApp } from "../examples/todos/app.ts";
import type { App } from "../src/index.ts";
import { checkAccessibility, checkWidth, phone, untilCounted, useDashboard } from "./support/dashboard.ts";
import { createFolder } from "./support/program.ts";

const dashboard = useDashboard();

/** Adds a route that fails in every third request from release 1.1 on, and a job. */
function addCheckout(app: App, isBad: boolean): void {
  let calls = 0;
  app.jobs.registerJob("quick", "Quick job", "", "0 0 1 1 *", () => {});
  app.onServe(({ router }) => {
    router.post("/checkout", (e) => {
      if (isBad && ++calls % 3 === 0) throw new Error("No response from the bank");
      return e.json(201, { ok: true });
    });
  });
}

async function callOften(app: App): Promise<void> {
  await app.jobs.run("quick");
  for (let count = 0; count < 120; count++) await app.inject({ method: "POST", url: "/checkout" });
  for (let count = 0; count < 120; count++) await app.inject({ url: "/" });
}

/** An application that ran as release 1.0, and now runs as 1.1. */
async function startSecondRelease(t: TestContext) {
  const dataDir = createFolder(t);
  const first = createTodosApp({
    ...{ port: 0, signals: false, dev: false, dataDir, release: "1.0" },
    log: { destination: `${dataDir}/log` },
  });
  addCheckout(first, false);
  await first.start();
  await callOften(first);
  await first.stop();
  // Metrics are stored by second, and a second counts either before or after a release.
  await delay(1_100);
  const second = await dashboard.start(t, { dataDir, release: "1.1" }, (app) => addCheckout(app, true));
  await callOften(second.app);
  await untilCounted(second.app, "POST /checkout", 240);
  return second;
}

const drawer = (page: Page) => page.getByRole("dialog");
const flags = (page: Page) => page.locator(".chart").first().locator(".flag");

describe("releases", () => {
  it("are marked on the charts, and one click shows which route got worse", async (t) => {
    const { open } = await startSecondRelease(t);
    const page = await open("/_/_");
    await flags(page).nth(1).waitFor();
    assert.equal(await page.locator(".chart").count(), 3);
    for (const chart of await page.locator(".chart").all()) {
      assert.equal(await chart.locator(".flag.release").count(), 2);
    }
    await flags(page).nth(1).hover();
    await flags(page)
      .nth(1)
      .getByText(/release 1\.1, before 1\.0/)
      .waitFor();

    await flags(page).nth(1).click();
    await drawer(page)
      .getByRole("heading", { name: /^Before and after/ })
      .waitFor();
    await drawer(page)
      .getByText(/release 1\.1, before 1\.0/)
      .waitFor();
    const worst = drawer(page).locator(".difference").first();
    assert.match((await worst.textContent())!, /POST \/checkout.*33 % errors, 0 % before/);
    await checkAccessibility(page);
    await drawer(page).getByRole("link", { name: "POST /checkout", exact: true }).click();
    await page.getByRole("heading", { name: "POST /checkout" }).waitFor();
    // The charts of one route are marked as well, and those of jobs.
    await flags(page).nth(1).waitFor();
    await page.goto("/_/_/cron?job=quick");
    for (const chart of [".scatter", ".gantt"]) {
      const flag = page.locator(`${chart} .flag.release`, { hasText: /release 1\.1, before 1\.0/ });
      await flag.waitFor();
      await flag.hover();
      await flag.getByText(/release 1\.1/).waitFor();
    }
    await checkAccessibility(page);
  });

  it("are compared on a phone, too, and a damaged link says what to do", async (t) => {
    const { open } = await startSecondRelease(t);
    const page = await open(`/_/_?changed=${Date.now() - 1_000}`, { viewport: phone });
    await drawer(page).getByText("Releases, restarts and settings").waitFor();
    await drawer(page).getByText("What differs most").waitFor();
    await checkWidth(page);
    await drawer(page).getByRole("button", { name: "15m" }).click();
    await page.waitForURL(/span=15m/);
    await page.keyboard.press("Escape");
    await drawer(page).waitFor({ state: "detached" });
    await page.goto("/_/_?changed=yesterday");
    await drawer(page).getByText("This link has no valid time").waitFor();
  });

  it("are in the audit log, with crashes", async (t) => {
    const dataDir = createFolder(t);
    const { app, open } = await dashboard.start(t, { dataDir, release: "1.0" });
    // As if another process had been killed.
    const tables = (await app.database()).tables<{ annex_changes: Record<string, unknown> }>();
    await tables
      .updateTable("annex_changes")
      .set({ detail: "after a crash" })
      .where("kind", "=", "start")
      .execute();
    const page = await open("/_/_/config?tab=changes");
    const sentence = page.locator(".change-sentence", { hasText: "was started on" });
    assert.match((await sentence.textContent())!, /after a crash, release 1\.0$/);
    await page.goto("/_/_");
    await page.locator(".flag.crash").first().waitFor();
  });

  it("a selected period is compared with the one before", async (t) => {
    const { open } = await startSecondRelease(t);
    const now = Date.now();
    const page = await open(`/_/_?from=${now - 30_000}&to=${now + 1_000}`);
    await page.getByRole("button", { name: "What changed?" }).click();
    await drawer(page).getByText("What differs most").waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      drawer(page).getByRole("button", { name: "Incident file" }).click(),
    ]);
    assert.match(download.suggestedFilename(), /^incident-.*\.html$/);
    const html = readFileSync(await download.path(), "utf8");
    assert.match(html, /POST \/checkout/);
    assert.match(html, /No response from the bank/);
    await drawer(page).getByRole("button", { name: "Show both periods in the charts" }).click();
    await drawer(page).waitFor({ state: "detached" });
    assert.match(page.url(), /from=\d+&to=\d+/);
  });
});
