import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { Locator, Page } from "playwright-core";
import { createTodosApp } from "../examples/todos/app.ts";
import type { App } from "../src/index.ts";
import { until } from "../src/lib/testing/until.ts";
import { untilCounted, useDashboard } from "./support/dashboard.ts";
import { createFolder } from "./support/program.ts";

/** What an engineer on call asks, and how many clicks the answer takes from the overview. */

const dashboard = useDashboard();
const mostClicks = 3;

/** From release 1.1 on, a route fails, another one is slow, and a job fails. */
function addShop(app: App, isBad: boolean): void {
  let calls = 0;
  app.onServe(({ router }) => {
    router.post("/checkout", (e) => {
      if (isBad && ++calls % 3 === 0)
        throw new Error("No response from the bank", { cause: new Error("ETIMEDOUT 10.0.3.17:443") });
      return e.json(201, { ok: true });
    });
    router.get("/search", async (e) => {
      if (isBad) {
        app.logger.warn("The index is being rebuilt");
        // On a busy machine, requests of the first release take 100 ms and more.
        await delay(1_000);
      }
      return e.json(200, []);
    });
  });
  app.jobs.registerJob("nightly", "Nightly report", "", "0 3 * * *", () => {
    if (isBad) throw new Error("ENOSPC: no space left on device");
  });
}

async function call(app: App): Promise<void> {
  for (let count = 0; count < 60; count++) await app.inject({ method: "POST", url: "/checkout" });
  for (let round = 0; round < 3; round++)
    await Promise.all(Array.from({ length: 20 }, () => app.inject({ url: "/search" })));
}

async function startIncident(t: TestContext) {
  const dataDir = createFolder(t);
  const first = createTodosApp({
    ...{ port: 0, signals: false, dev: false, dataDir, release: "1.0" },
    log: { destination: `${dataDir}/log` },
  });
  addShop(first, false);
  await first.start();
  await call(first);
  const { id } = await first.jobs.run("nightly");
  await until(
    "the job ends",
    () => first.jobs.findRun(id),
    ({ status }) => status !== "running",
  );
  await first.stop();
  // Metrics are stored by second, and a second counts either before or after a release.
  await delay(1_100);
  const site = await dashboard.start(t, { dataDir, release: "1.1", logLevel: "debug" }, (app) =>
    addShop(app, true),
  );
  await call(site.app);
  await site.app.jobs.run("nightly");
  await untilCounted(site.app, "GET /search", 120);
  await untilCounted(site.app, "POST /checkout", 120);
  return site;
}

/** Counts clicks, and refuses the fourth. */
function countClicks() {
  let clicks = 0;
  return async (target: Locator) => {
    clicks++;
    assert.ok(clicks <= mostClicks, `${clicks} clicks`);
    await target.click();
  };
}

const drawer = (page: Page) => page.getByRole("dialog");
const attention = (page: Page, text: string) =>
  page.locator(".attention li", { hasText: text }).getByRole("link").first();
/** The second one: the window of a live page ends a few seconds ago, so it appears after the first. */
const releaseFlag = (page: Page) => page.locator(".chart").first().locator(".flag.release").nth(1);

describe("an engineer on call finds out", () => {
  it("why errors rise: the error with its cause", async (t) => {
    const { open } = await startIncident(t);
    const page = await open("/_/_");
    const click = countClicks();
    await click(attention(page, "No response from the bank"));
    await drawer(page).getByText("ETIMEDOUT 10.0.3.17:443").first().waitFor();
  });

  it("which route got slow since when, and one slow request with its log records", async (t) => {
    const { open } = await startIncident(t);
    const page = await open("/_/_");
    const click = countClicks();
    await click(releaseFlag(page));
    const slow = drawer(page).locator(".difference", { hasText: "GET /search" });
    await slow.getByText(/p95 .* before/).waitFor();
    await click(slow.getByRole("link"));
    await page.locator(".chart .flag.release").first().waitFor();
    await click(page.getByRole("table", { name: "Slowest requests" }).getByRole("link").first());
    await drawer(page).getByText("The index is being rebuilt").first().waitFor();
  });

  it("whether last night's job ran, and runs it again", async (t) => {
    const { open } = await startIncident(t);
    const page = await open("/_/_");
    const click = countClicks();
    await click(attention(page, "Nightly report"));
    await page
      .getByText(/failed/i)
      .first()
      .waitFor();
    await click(page.locator(".cron-runs tbody tr").first().getByRole("link").first());
    await drawer(page).getByText("ENOSPC").first().waitFor();
    await click(drawer(page).getByRole("button", { name: "Run again" }));
    await page.waitForURL(/run=/);
  });

  it("which release broke it", async (t) => {
    const { open } = await startIncident(t);
    const page = await open("/_/_");
    const click = countClicks();
    await click(releaseFlag(page));
    await drawer(page)
      .getByText(/release 1\.1, before 1\.0/)
      .waitFor();
    await drawer(page)
      .locator(".difference", { hasText: "POST /checkout" })
      .getByText(/33 % errors/)
      .waitFor();
  });
});
