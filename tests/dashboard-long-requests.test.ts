import { once } from "node:events";
import { connect } from "node:net";
import { describe, it, type TestContext } from "node:test";
import type { Locator, Page } from "playwright-core";
import type { App } from "../src/index.ts";
import { until } from "../src/lib/testing/until.ts";
import { checkAccessibility, checkWidth, desktop, phone, tablet, useDashboard } from "./support/dashboard.ts";

const dashboard = useDashboard();

/** A route that responds when the test says so. */
function addStuckRoute(app: App): { respond(): void } {
  let respond = () => {};
  const wait = new Promise<void>((resolve) => {
    respond = resolve;
  });
  app.onServe(({ router }) =>
    router.get("/reports/{year}", async (e) => {
      await wait;
      return e.noContent();
    }),
  );
  return { respond: () => respond() };
}

/** Starts an upload that never ends. */
async function startUpload(t: TestContext, url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  t.after(() => socket.destroy());
  await once(socket, "connect");
  socket.write("POST /api/v1/people HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n");
  socket.write("Content-Length: 100\r\n\r\n{");
}

describe("long-running requests", { timeout: 720_000 }, () => {
  it("are on the overview at 1440, 1024 and 390 px, lead to their trace, and go when they end", async (t) => {
    let stuck = { respond() {} };
    const { app, open, url } = await dashboard.start(t, { limits: { longRequestMs: 1_000 } }, (app) => {
      stuck = addStuckRoute(app);
    });
    // If an assertion fails, the application still has to stop.
    t.after(() => stuck.respond());
    const response = app.inject({ url: "/reports/2026" });
    await startUpload(t, url);
    let page: Page | undefined;
    for (const viewport of [desktop, tablet, phone]) {
      page = await open("/_/_", { viewport });
      await checkOverview(page);
      await checkTrace(page);
      await page.goBack();
      await page.getByRole("region", { name: "Long-running requests" }).waitFor();
    }
    stuck.respond();
    await response;
    const running = page!.getByRole("region", { name: "Long-running requests" });
    // The table of routes lists it too, as soon as it is counted.
    await running.getByText("/reports/{year}").first().waitFor({ state: "detached" });
    const health = page!.getByRole("region", { name: "Health" });
    await health.getByText(/had no response/).waitFor({ state: "detached" });
  });
});

/** Long enough to be among the longest stalls, also on a busy machine, where the start of a process has some. */
function buildReport(): void {
  for (const end = performance.now() + 1_500; performance.now() < end; );
}

describe("stalls of the event loop", { timeout: 720_000 }, () => {
  it("are on the overview at 1440 and 390 px, with the function, and lead to the trace that blocked", async (t) => {
    const { open, url } = await dashboard.start(t, { metrics: { stallMs: 100 } }, (app) => {
      app.onServe(({ router }) =>
        router.get("/busy", (e) => {
          buildReport();
          return e.noContent();
        }),
      );
    });
    for (const viewport of [desktop, phone]) {
      const page = await open("/_/_", { viewport });
      const list = page.getByRole("region", { name: "Stalls", exact: true });
      const busy = list.getByRole("listitem").filter({ has: page.getByRole("link", { name: "GET /busy" }) });
      // A busy machine may delay the thread that watches, so one stall may not be found.
      await until("a stall is found", async () => {
        await fetch(`${url}/busy`);
        const stalls = await page.evaluate<string>(
          "fetch('/_/_/data/stalls').then((response) => response.text())",
        );
        return stalls.includes('"route":"/busy"') && stalls.includes('"is_certain":true');
      });
      await page.reload();
      await checkStall(page, busy.first());
    }
  });
});

async function checkStall(page: Page, stall: Locator): Promise<void> {
  await page.getByRole("figure", { name: "Event loop stalls" }).waitFor();
  await stall
    .getByText(/^[\d.]+ m?s$/)
    .first()
    .waitFor();
  await stall.locator("summary").click();
  await stall
    .getByText(/^buildReport \(tests\/dashboard-long-requests/)
    .last()
    .waitFor();
  await checkAccessibility(page);
  await checkWidth(page);
  await stall.getByRole("link", { name: "GET /busy" }).click();
  const drawer = page.getByRole("dialog");
  await drawer.getByText(/Blocked the event loop for [\d.]+ m?s/).waitFor();
  await checkAccessibility(page);
  await checkWidth(page);
}

async function checkOverview(page: Page): Promise<void> {
  const list = page.getByRole("region", { name: "Long-running requests" });
  const report = list.getByRole("listitem").filter({ hasText: "/reports/{year}" });
  await report.getByText("no response").waitFor();
  const upload = list.getByRole("listitem").filter({ hasText: "/api/v1/people" });
  await upload.getByText("receiving").waitFor();
  const health = page.getByRole("region", { name: "Health" });
  await health.getByText(/^(Degraded|Failing)$/).waitFor();
  await health.getByText(/had no response .* GET \/reports\/\{year\}/).waitFor();
  await page.locator(".system-fact", { hasText: "Long-running" }).waitFor();
  await checkAccessibility(page);
  await checkWidth(page);
}

async function checkTrace(page: Page): Promise<void> {
  await page
    .getByRole("region", { name: "Long-running requests" })
    .getByRole("link", { name: /reports/ })
    .click();
  const drawer = page.getByRole("dialog");
  await drawer.getByText(/^In flight for/).waitFor();
  await drawer.getByText("The request has arrived; no response has been sent.").waitFor();
  await checkAccessibility(page);
  await checkWidth(page);
}
