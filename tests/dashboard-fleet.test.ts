import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import type { Page } from "playwright-core";
import { createTodosApp } from "../examples/todos/app.ts";
import type { InstanceList } from "../src/features/metrics/wire.ts";
import type { App } from "../src/index.ts";
import { until } from "../src/lib/testing/until.ts";
import {
  checkAccessibility,
  checkLooks,
  type Dashboard,
  desktop,
  phone,
  tablet,
  useDashboard,
} from "./support/dashboard.ts";
import { createTestDatabase } from "./support/postgres.ts";
import { createFolder } from "./support/program.ts";

/** Two applications on one PostgreSQL, and the dashboard of the first. */

const dashboard = useDashboard();

interface Fleet extends Dashboard {
  readonly other: { readonly app: App; readonly url: string };
}

async function startFleet(t: TestContext): Promise<Fleet> {
  const { url: database, drop } = await createTestDatabase();
  const options = { database, logLevel: "debug", release: "1.2.3", databaseTimeoutMs: 60_000 } as const;
  const started = await dashboard.start(t, { ...options, instance: "web-1" }, prepare);
  const dataDir = createFolder(t);
  const app = createTodosApp({
    ...{ ...options, instance: "web-2", dataDir, port: 0, signals: false, dev: false },
    log: { destination: `${dataDir}/log` },
  });
  prepare(app);
  t.after(async () => {
    await app.stop();
    await drop();
  });
  const { url } = await app.start();
  return { ...started, other: { app, url } };
}

function prepare(app: App): void {
  app.onServe(({ router }) => {
    router.get("/broken", () => {
      throw new Error("out of order");
    });
  });
  app.jobs.registerJob(
    "endless",
    "Endless",
    "",
    "0 0 1 1 *",
    ({ signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  );
}

/**
 * Starts a run again if it ends: on a busy machine, an instance may lose its lease and abort its runs. Returns a
 * function that ends this.
 */
function keepRunning(app: App, job: string): () => void {
  const start = () => void app.jobs.run(job).catch(() => {});
  start();
  const timer = setInterval(start, 1_000);
  return () => clearInterval(timer);
}

/** Both instances have written their heartbeat. */
async function untilBoth(page: Page): Promise<void> {
  await until(
    "both instances run",
    async () => (await (await page.request.get("/_/_/data/instances")).json()) as InstanceList,
    ({ instances }) => instances.filter(({ status }) => status !== undefined).length === 2,
  );
}

const fleetPanel = (page: Page) => page.getByRole("region", { name: "Fleet" });
const memberRow = (page: Page, name: string) => fleetPanel(page).getByRole("row").filter({ hasText: name });
const requestRows = (page: Page, path: string) =>
  page.locator(".requests tbody tr:not(.room)").filter({ hasText: path });
const instanceMenu = (page: Page) => page.getByRole("combobox", { name: "Instance" });

describe("the dashboard of a fleet", () => {
  it("shows all instances with their load, and marks one that stops", async (t) => {
    const { open, other } = await startFleet(t);
    const endRuns = keepRunning(other.app, "endless");
    t.after(endRuns);
    const page = await open("/_/_");
    await untilBoth(page);
    await memberRow(page, "web-2").getByRole("link", { name: "endless" }).waitFor();
    assert.match(await memberRow(page, "web-1").innerText(), /current/);
    assert.match(await memberRow(page, "web-2").innerText(), /1\.2\.3/);
    const health = page.getByRole("region", { name: "Health" });
    await health.getByText("2 instances").waitFor();
    await checkLooks(page, [desktop, tablet, phone]);
    await memberRow(page, "web-2").getByRole("link", { name: "web-2" }).click();
    await page.waitForURL(/instance=web-2/);
    await page
      .getByRole("region", { name: "System" })
      .getByText(/^web-2 · /)
      .waitFor();
    assert.equal(await instanceMenu(page).inputValue(), "web-2");
    endRuns();
    await other.app.stop();
    await memberRow(page, "web-2").getByText("Stopped").waitFor();
    await health.getByText("Not running").waitFor();
    await checkAccessibility(page);
  });

  it("lists the requests, records and errors of all instances, and of the selected one on every page", async (t) => {
    const { open, url, other } = await startFleet(t);
    const page = await open("/_/_/requests");
    await untilBoth(page);
    await fetch(`${url}/about?here`);
    await fetch(`${other.url}/about?there`);
    await fetch(`${other.url}/broken`);
    await requestRows(page, "web-1").first().waitFor();
    await requestRows(page, "web-2").first().waitFor();
    await checkLooks(page, [desktop, tablet, phone]);
    await instanceMenu(page).selectOption("web-2");
    await requestRows(page, "web-1").first().waitFor({ state: "detached" });
    await requestRows(page, "/broken").getByRole("link").click();
    const drawer = page.locator("dialog.drawer");
    await drawer.getByText("Headers are kept only in the memory of web-2").waitFor();
    await checkAccessibility(page);
    await page.keyboard.press("Escape");

    await page.goto("/_/_/requests?tab=routes&route=GET%20%2Fabout");
    const slowest = page.getByRole("region", { name: "Slowest requests" });
    await slowest.getByRole("cell", { name: "web-1" }).first().waitFor();
    await slowest.getByRole("cell", { name: "web-2" }).first().waitFor();
    await instanceMenu(page).selectOption("web-2");
    await slowest.getByRole("cell", { name: "web-1" }).first().waitFor({ state: "detached" });
    await slowest.getByRole("cell", { name: "web-2" }).first().waitFor();

    await page.getByRole("link", { name: "Errors", exact: true }).click();
    await page.waitForURL(/errors\?.*instance=web-2/);
    // On a busy machine, the loss of a lease is another error.
    const error = page.locator(".error-row").filter({ hasText: "out of order" });
    await error.getByText("web-2").waitFor();
    await error.locator(".error-name").click();
    await drawer.getByRole("link", { name: "web-2", exact: true }).waitFor();
    await checkAccessibility(page);
    await page.keyboard.press("Escape");
    await instanceMenu(page).selectOption("web-1");
    await error.waitFor({ state: "detached" });

    await page.getByRole("link", { name: "Logs", exact: true }).click();
    await page.locator(".record-instance").getByText("web-1").first().waitFor();
    assert.equal(await page.locator(".record-instance").getByText("web-2").count(), 0);
    await instanceMenu(page).selectOption("");
    const search = page.getByRole("combobox", { name: "Search the records" });
    await search.fill("instance:web-2 path:/broken");
    await search.press("Enter");
    const names = page.locator(".record-instance");
    await names.getByText("web-1").first().waitFor({ state: "detached" });
    await names.getByText("web-2").first().waitFor();
    await checkAccessibility(page);
  });
});

describe("the dashboard of a single instance", () => {
  it("does not name it in lists, and has no fleet", async (t) => {
    const { open, url } = await dashboard.start(t, { logLevel: "debug" });
    const page = await open("/_/_/logs");
    await fetch(`${url}/about`);
    const record = page.locator(".records > li").filter({ hasText: "/about" }).first();
    await record.getByRole("button").click();
    await record.locator(".json").getByText("trace_id").first().waitFor();
    assert.equal(await record.locator(".json-name", { hasText: /^instance$/ }).count(), 0);
    assert.equal(await page.locator(".record-instance").count(), 0);
    await page.getByRole("link", { name: "Requests", exact: true }).click();
    await requestRows(page, "/about").first().waitFor();
    assert.equal(await page.locator(".col-instance").count(), 0);
    assert.equal(await instanceMenu(page).count(), 0);
    await page.getByRole("link", { name: "Overview", exact: true }).click();
    await page.getByRole("region", { name: "System" }).waitFor();
    assert.equal(await fleetPanel(page).count(), 0);
  });
});
