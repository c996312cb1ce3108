import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it, type TestContext } from "node:test";
import type { Page } from "playwright-core";
import { createTodosApp } from "../examples/todos/app.ts";
import {
  account,
  checkLooks,
  checkWidth,
  type Dashboard,
  delayFrames,
  phone,
  useDashboard,
} from "./support/dashboard.ts";
import { createFolder } from "./support/program.ts";

const dashboard = useDashboard();

/** At this level requests are stored. */
const logLevel = "debug";
const shared = dashboard.share({ logLevel });
/** For tests that count, or need requests of their own only. */
const start = (t: TestContext) => dashboard.start(t, { logLevel });

/** The trace ID of a request that was just made. */
async function call({ url }: Dashboard, path: string, init: RequestInit = {}): Promise<string> {
  const response = await fetch(url + path, init);
  await response.arrayBuffer();
  return response.headers.get("x-trace-id")!;
}

async function signIn({ url }: Dashboard): Promise<string> {
  const response = await fetch(`${url}/api/collections/_superusers/auth-with-password`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ identity: account.email, password: account.password }),
  });
  return ((await response.json()) as { token: string }).token;
}

const rows = (page: Page) => page.locator(".requests tbody tr:not(.room)");
const row = (page: Page, trace: string) => rows(page).filter({ hasText: trace });
const drawer = (page: Page) => page.locator("dialog.drawer");
const search = (page: Page) => page.getByRole("combobox", { name: "Search the requests" });

/** How many rows there are, in sight or not. */
const rowCount = async (page: Page) =>
  Number(await page.locator(".requests").getAttribute("aria-rowcount")) - 1;

describe("the requests page", () => {
  it("shows a request as it comes in", async (t) => {
    const started = await shared(t);
    const page = await started.open("/_/_/requests");
    const trace = await call(started, "/about?secret=1");
    await row(page, trace).waitFor();
    const text = await row(page, trace).textContent();
    assert.match(text!, /GET\/about200.*127\.0\.0\.x/);
    assert.doesNotMatch(text!, /secret/);
  });

  it("fits a phone also if no request is shown", async (t) => {
    const { open } = await shared(t);
    const page = await open("/_/_/requests?q=status:418", { viewport: phone });
    await page.getByText("No known request in this window matches.").waitFor();
    await checkWidth(page);
  });

  it("filters by a query, and reports invalid terms", async (t) => {
    const started = await shared(t);
    const found = await call(started, "/about");
    const missing = await call(started, "/nowhere");
    const page = await started.open("/_/_/requests");
    await row(page, missing).waitFor();

    await page.keyboard.press("/");
    await page.keyboard.type("sta");
    await page.getByRole("option", { name: "status:" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("option", { name: "4xx" }).waitFor();
    await page.keyboard.type("404");
    await page.keyboard.press("Enter");
    await row(page, found).waitFor({ state: "detached" });
    await row(page, missing).waitFor();
    assert.match(page.url(), /q=status%3A404/);

    await search(page).fill("path:about dur:long");
    await search(page).press("Enter");
    await page.getByText("A path begins with / or *").waitFor();
    await page.getByText("dur: takes >200ms").waitFor();
    await page.getByText("The query is not valid").waitFor();

    await search(page).fill('-status:404 path:/about "node"');
    await search(page).press("Enter");
    await row(page, found).waitFor();
    assert.equal(await row(page, missing).count(), 0);
  });

  it("keeps the text and the caret position when typing continues after a suggestion or a search", async (t) => {
    const started = await shared(t);
    const trace = await call(started, "/about");
    const page = await started.open("/_/_/requests");
    await row(page, trace).waitFor();
    await delayFrames(page);
    await search(page).fill("sta");
    await page.getByRole("option", { name: "status:" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.keyboard.type("404", { delay: 150 });
    assert.equal(await search(page).inputValue(), "status:404");
    await page.keyboard.press("Enter");
    await page.keyboard.type(" path:/about", { delay: 150 });
    assert.equal(await search(page).inputValue(), "status:404 path:/about");
  });

  it("shows the details of a request, and moves to the next with the arrow keys", async (t) => {
    const started = await start(t);
    const page = await started.open("/_/_/requests");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const before = await call(started, "/nowhere");
    const trace = await call(started, "/demo/fail", {
      method: "POST",
      headers: { "x-odd": "it's $HOME", cookie: "session=secret" },
    });
    await row(page, trace).locator("a").click();
    await drawer(page).getByText("The failure button was pressed").first().waitFor();
    await drawer(page)
      .getByRole("link", { name: /See this error: once in 24 hours/ })
      .waitFor();
    await drawer(page).getByText("POST /demo/fail", { exact: true }).first().waitFor();
    assert.match(page.url(), new RegExp(`trace=${trace}`));

    await drawer(page).getByRole("button", { name: "Copy as curl" }).click();
    await drawer(page).getByText("Copied").waitFor();
    const curl = await page.evaluate<string>("navigator.clipboard.readText()");
    assert.match(curl, /^curl -X POST/);
    assert.ok(curl.includes(String.raw`-H 'x-odd: it'\''s $HOME'`), curl);
    assert.ok(curl.includes(`${started.url}/demo/fail`), curl);
    assert.doesNotMatch(curl, /secret/);
    assert.doesNotMatch(await drawer(page).innerText(), /session=secret/);

    await drawer(page).locator("summary", { hasText: "Failed to handle request" }).click();
    await drawer(page).getByText("at Array.fail").or(drawer(page).getByText("at fail")).first().waitFor();

    await page.keyboard.press("ArrowRight");
    await drawer(page).getByText(before).waitFor();
    await page.keyboard.press("ArrowLeft");
    await drawer(page).getByText(trace).waitFor();
    await page.keyboard.press("Escape");
    await drawer(page).waitFor({ state: "detached" });
    assert.doesNotMatch(page.url(), /trace=/);
  });

  it("leads to the error of a request also if it was counted after the request was opened", async (t) => {
    const started = await start(t);
    const page = await started.open("/_/_/requests");
    let asked = 0;
    await page.route(/\/_\/_\/data\/errors\?/, (route) =>
      asked++ === 0 ? route.fulfill({ json: { errors: [] } }) : route.continue(),
    );
    const trace = await call(started, "/demo/fail", { method: "POST" });
    await row(page, trace).locator("a").click();
    await drawer(page)
      .getByRole("link", { name: /See this error: once in 24 hours/ })
      .waitFor();
    assert.ok(asked > 1);
  });

  it("leaves a record open when another one of the request arrives", async (t) => {
    const started = await shared(t);
    const page = await started.open("/_/_/requests");
    const trace = await call(started, "/demo/fail", { method: "POST" });
    const record = (msg: string, at: number) => ({ time: new Date(at).toISOString(), level: "info", msg });
    const now = Date.now();
    const items = [record("the second", now)];
    await page.route(new RegExp(`/data/logs\\?.*${trace}`), (route) =>
      route.fulfill({
        json: { items, recording: { level: "debug", requests: true, sample: 1, stored: true } },
      }),
    );
    await row(page, trace).locator("a").click();
    await drawer(page).locator("summary", { hasText: "the second" }).click();
    await drawer(page).locator("details[open]").waitFor();
    items.push(record("the first", now - 1));
    await drawer(page).locator("summary", { hasText: "the first" }).waitFor();
    assert.equal(await drawer(page).locator("details[open]", { hasText: "the second" }).count(), 1);
  });

  it("finds a trace through the palette, with the job that it started and the way back", async (t) => {
    const started = await shared(t);
    const authorization = await signIn(started);
    const trace = await call(started, "/api/cron/jobs/count/run", {
      method: "POST",
      headers: { authorization },
    });
    const page = await started.open("/_/_");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: /A trace ID/ }).fill(trace);
    await page.keyboard.press("Enter");
    const job = drawer(page).getByRole("link", { name: "Count todos" });
    await job.waitFor();
    await drawer(page).getByText("success", { exact: true }).waitFor();
    assert.match((await job.getAttribute("href"))!, /\/_\/_\/cron\?.*job=count&run=/);
    await drawer(page).getByRole("link", { name: "Open in Logs" }).click();
    await page.getByText('Job "count" succeeded').waitFor();
    await page.locator(".record-trace").first().click();
    await drawer(page).getByRole("link", { name: "Count todos" }).waitFor();
  });

  it("says so when nothing is known of a trace, and why", async (t) => {
    const { open } = await shared(t);
    const page = await open("/_/_/requests?trace=AAAAAAAAAAAAAAAAAA");
    await drawer(page).getByText("No data for this trace").waitFor();
    await page.goto("/_/_/requests?trace=%3Cb%3E");
    await drawer(page).getByText("This is not a trace ID").waitFor();
  });

  it("shows what strangers send as text", async (t) => {
    const started = await shared(t);
    const trace = await call(started, "/%3Cimg%20src=x%20onerror=alert(1)%3E<b>", {
      headers: { "user-agent": "<script>alert(1)</script>", referer: "<i>x</i>" },
    });
    const page = await started.open("/_/_/requests");
    await row(page, trace).locator("a").click();
    await drawer(page).getByText("<script>alert(1)</script>").first().waitFor();
    await drawer(page).getByText("<i>x</i>").first().waitFor();
    assert.equal(await page.locator("main script, dialog script, main b img, dialog i").count(), 0);
  });

  it("pauses while the user reads, and can be resumed", async (t) => {
    const started = await shared(t);
    await Promise.all(Array.from({ length: 120 }, () => call(started, "/api/health")));
    const page = await started.open("/_/_/requests");
    await rows(page).nth(5).waitFor();
    assert.ok((await rowCount(page)) >= 120);
    assert.ok((await rows(page).count()) < 60, "only what is in sight is drawn");
    await page.mouse.move(700, 600);
    await page.mouse.wheel(0, 1_500);
    const pill = page.getByRole("button", { name: /Resume/ });
    await pill.waitFor();
    const trace = await call(started, "/about");
    await page.getByRole("button", { name: "1 new · Resume" }).waitFor();
    assert.equal(await row(page, trace).count(), 0);
    await pill.click();
    await row(page, trace).waitFor();
    await pill.waitFor({ state: "detached" });
  });

  it("continues with stored requests below, each of them once", async (t) => {
    const options = { dataDir: createFolder(t), logLevel: "debug" } as const;
    const first = await dashboard.start(t, options);
    const page = await first.open("/_/_/requests?q=path:/about");
    const traces = [await call(first, "/about"), await call(first, "/about")];
    await row(page, traces[1]!).waitFor();
    // What was in memory goes with the process; what it stored stays.
    await page.goto("about:blank");
    await first.app.stop();
    const log = { destination: `${options.dataDir}/log` };
    const second = createTodosApp({
      ...options,
      log,
      port: Number(new URL(first.url).port),
      signals: false,
      dev: false,
    });
    t.after(() => second.stop());
    await second.start();
    traces.push(await call(first, "/about"));
    await page.goto(`${first.url}/_/_/requests?q=path:/about`);
    await page.getByText("End of list: no older requests in this window.").waitFor();
    for (const trace of traces) assert.equal(await row(page, trace).count(), 1);
    assert.equal(await rowCount(page), 3);
    await row(page, traces[0]!).getByRole("link").click();
    await drawer(page).getByText("only for the last thousand requests of an instance").waitFor();
  });

  it("says that requests are not stored, and records them for a while when asked to", async (t) => {
    const started = await dashboard.start(t, { logLevel: "info" });
    const page = await started.open("/_/_/requests");
    await page.getByText("At level info requests are not stored").waitFor();
    await page.getByRole("button", { name: "Record every request for 15 minutes" }).click();
    await page.getByText("reverts to info automatically").waitFor();
    await page.getByRole("button", { name: "Record", exact: true }).click();
    await page.getByText(/Every request is recorded until .*then the level reverts to info/).waitFor();
    assert.equal(started.app.logger.level, "debug");
  });

  it("compares the routes, and shows a single one", async (t) => {
    const started = await shared(t);
    for (let index = 0; index < 3; index++) await call(started, "/about");
    await call(started, "/demo/slow");
    const page = await started.open("/_/_/requests?tab=routes");
    const names = () => page.locator(".table tbody th").allInnerTexts();
    await page.getByRole("link", { name: "GET /demo/slow" }).waitFor();
    await page.getByRole("button", { name: "Calls" }).click();
    await page.locator("[aria-sort=descending]", { hasText: "Calls" }).waitFor();
    const sorted = await names();
    assert.ok(sorted.indexOf("GET /about") < sorted.indexOf("GET /demo/slow"), sorted.join());

    await page.getByRole("searchbox", { name: "Find routes" }).fill("slow");
    await page.getByRole("link", { name: "GET /about" }).waitFor({ state: "detached" });
    assert.deepEqual(await names(), ["GET /demo/slow"]);
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "CSV" }).click();
    assert.match(readFileSync(await (await download).path(), "utf8"), /^route,count.*GET \/demo\/slow,1,/s);

    await page.getByRole("link", { name: "GET /demo/slow" }).click();
    await page.getByRole("heading", { name: "GET /demo/slow" }).waitFor();
    await page.getByRole("figure", { name: "Latency" }).waitFor();
    await page
      .getByRole("table", { name: "Slowest requests" })
      .getByRole("link", { name: "/demo/slow" })
      .waitFor();
    await page.getByRole("link", { name: "Show requests" }).click();
    await page.locator(".requests").getByRole("link", { name: "/demo/slow" }).waitFor();
    assert.equal(await rowCount(page), 1);
  });

  it("lists the slowest, and hands out the stored ones as a file", async (t) => {
    const started = await start(t);
    const trace = await call(started, "/demo/slow");
    const page = await started.open("/_/_/requests?tab=slowest");
    await page.getByRole("link", { name: "GET /demo/slow" }).click();
    await drawer(page).getByText(trace).first().waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("tab", { name: "Requests" }).click();
    await search(page).fill("path:/demo/*");
    await search(page).press("Enter");
    await row(page, trace).waitFor();
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "CSV" }).click();
    const lines = readFileSync(await (await download).path(), "utf8")
      .trim()
      .split("\n");
    assert.equal(lines.length, 2);
    assert.ok(lines[1]!.includes(trace));
  });

  it("lists the slowest of a route after a restart, although requests are not logged", async (t) => {
    const first = await dashboard.start(t, { logLevel: "info" });
    const trace = await call(first, "/demo/slow");
    await first.app.stop();
    const { open } = await dashboard.start(t, { logLevel: "info", dataDir: first.dataDir });
    const page = await open("/_/_/requests?tab=slowest");
    await page.getByRole("link", { name: "/demo/slow", exact: true }).click();
    await page.getByRole("heading", { name: "GET /demo/slow" }).waitFor();
    const slowest = page.getByRole("table", { name: "Slowest requests" });
    await slowest.getByRole("row").filter({ hasText: trace }).waitFor();
  });

  it("is accessible at every width and in both themes", async (t) => {
    const started = await shared(t);
    const trace = await call(started, "/demo/fail", { method: "POST" });
    await call(started, `/${"long-".repeat(60)}`);
    const page = await started.open("/_/_/requests", { viewport: phone });
    await rows(page).nth(2).waitFor();
    await checkLooks(page);
    await page.goto(`/_/_/requests?trace=${trace}`);
    await drawer(page).getByText("Failed to handle request").waitFor();
    await drawer(page).getByRole("button", { name: "Copy as curl" }).waitFor();
    await checkLooks(page);
    await page.goto(`/_/_/requests?tab=routes&route=${encodeURIComponent("POST /demo/fail")}`);
    await page.getByRole("table", { name: "Slowest requests" }).waitFor();
    await checkLooks(page);
    await page.goto("/_/_/requests?tab=routes");
    await page.getByRole("link", { name: "POST /demo/fail" }).waitFor();
    await checkLooks(page);
  });

  it("has two lines for a request on a phone", async (t) => {
    const started = await start(t);
    const page = await started.open("/_/_/requests", { viewport: phone });
    const trace = await call(started, "/about");
    const card = rows(page).filter({ hasText: "/about" });
    const box = await card.boundingBox();
    assert.equal(box!.height, 58);
    await card.getByRole("link").click();
    await drawer(page).getByText(trace).waitFor();
  });
});
