import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { until } from "../src/lib/testing/until.ts";
import { checkLooks, goByKeys, phone, useDashboard } from "./support/dashboard.ts";

const dashboard = useDashboard();
const shared = dashboard.share({ logLevel: "debug" });

const line = (page: Page, text: string) => page.locator(".records > li", { hasText: text });
const search = (page: Page) => page.getByRole("combobox", { name: "Search the records" });
const chip = (page: Page, word: string) => page.getByRole("button", { name: new RegExp(`^${word} `) });

async function look(page: Page, text: string): Promise<void> {
  await search(page).fill(text);
  await search(page).press("Enter");
}

describe("the logs page", () => {
  it("shows a record as it comes in", async (t) => {
    const { app, open } = await shared(t);
    const page = await open("/_/_/logs");
    await line(page, "Server listening").first().waitFor();
    app.logger.warn("The mail server is slow", { waited_ms: 900 });
    await line(page, "The mail server is slow").waitFor();
    assert.match(
      await line(page, "The mail server is slow").innerText(),
      /Warn\s+The mail server is slow waited_ms=900/,
    );
  });

  it("shows the levels that are chosen, and as many of each as there are", async (t) => {
    const { app, open } = await shared(t);
    app.logger.warn("A warning");
    app.logger.error("A failure", { error: new Error("out of paper") });
    app.logger.info("All is well");
    const page = await open("/_/_/logs");
    await line(page, "All is well").waitFor();
    await chip(page, "Error").click();
    await line(page, "All is well").waitFor({ state: "detached" });
    await line(page, "out of paper").waitFor();
    assert.equal(await search(page).inputValue(), "level:error");
    await chip(page, "Warn").click();
    await line(page, "A warning").waitFor();
    assert.match(page.url(), /q=level%3Awarn%2Cerror/);
    assert.equal(await chip(page, "Warn").getAttribute("aria-pressed"), "true");
    await chip(page, "Warn").click();
    await chip(page, "Error").click();
    await line(page, "All is well").waitFor();
    assert.equal(await search(page).inputValue(), "");
    await page
      .getByRole("figure", { name: /^Records/ })
      .getByText("Table")
      .click();
    await page.getByRole("columnheader", { name: "Error" }).waitFor();
  });

  it("says that only a share of the requests is logged", async (t) => {
    const { open } = await dashboard.start(t, { logLevel: "debug", log: { sample: 0.1 } });
    const page = await open("/_/_/logs");
    await page.getByText("; 10 % of successful, fast requests are logged").waitFor();
    await page.goto(page.url().replace("/logs", "/requests"));
    await page
      .getByText("10 % of successful, fast requests are logged (log.sample), and all others.")
      .waitFor();
  });

  it("opens a record, and narrows the search by its values", async (t) => {
    const { app, open } = await shared(t);
    app.logger.info("Paid", { order: 17, user: { id: 7 }, status: "late" });
    app.logger.info("Paid", { order: 18, user: { id: 8 }, status: "in time" });
    const page = await open("/_/_/logs?q=msg:Paid");
    await line(page, "order=17").getByRole("button").click();
    await page.getByRole("button", { name: "Only user.id: 7" }).click();
    await line(page, "order=18").waitFor({ state: "detached" });
    assert.equal(await search(page).inputValue(), "msg:Paid user.id:7");
    await line(page, "order=17").getByRole("button", { name: "Without user.id: 7" }).click();
    await line(page, "order=18").waitFor();
    await line(page, "order=17").waitFor({ state: "detached" });
    assert.equal(await search(page).inputValue(), "msg:Paid -user.id:7");

    await look(page, "msg:Paid");
    await page.getByRole("button", { name: "Only status: late" }).click();
    await line(page, "order=18").waitFor({ state: "detached" });
    assert.equal(await search(page).inputValue(), 'msg:Paid "status":late');

    await look(page, "status:late");
    await page.getByText("status: takes a code such as 404").waitFor();
  });

  it("offers the fields that records have", async (t) => {
    const { app, open } = await shared(t);
    app.logger.info("Paid", { invoice: "blue" });
    const page = await open("/_/_/logs");
    await line(page, "invoice=blue").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("invo");
    await page.getByRole("option", { name: "invoice:" }).click();
    await page.getByRole("option", { name: "blue" }).click();
    await page.waitForURL(/q=invoice%3Ablue/);
    await line(page, "invoice=blue").waitFor();
  });

  it("leads from a record to its request, and to all records of the trace", async (t) => {
    const { url, open } = await shared(t);
    const response = await fetch(`${url}/demo/fail`, { method: "POST" });
    const trace = response.headers.get("x-trace-id")!;
    const page = await open("/_/_/logs?q=event:error");
    await line(page, "Failed to handle request").getByRole("link", { name: "Trace" }).click();
    const drawer = page.locator("dialog.drawer");
    await drawer.getByText("500 Internal Server Error").waitFor();
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
    await line(page, "Failed to handle request").getByRole("button").first().click();
    await page.getByRole("link", { name: "All records of this trace" }).click();
    await line(page, "/demo/fail 500").waitFor();
    assert.equal(await search(page).inputValue(), `trace:${trace}`);
    await page.getByRole("link", { name: "Open full trace" }).click();
    await page.waitForURL(new RegExp(`/_/_/requests\\?trace=${trace}`));
    await drawer.getByText("In flight at the same time").waitFor();
  });

  it("shows what strangers send as text, and long text in part", async (t) => {
    const { app, open } = await shared(t);
    app.logger.info("<img src=x onerror=alert(1)>", { "<b>field</b>": "<script>alert(1)</script>" });
    app.logger.info("Long", { text: "lengthy ".repeat(500) });
    const page = await open("/_/_/logs");
    await line(page, "<img src=x").getByRole("button").click();
    await page.getByText("<script>alert(1)</script>", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Only <b>field</b>: <script>" }).click();
    await line(page, "Long").waitFor({ state: "detached" });
    await line(page, "<img src=x").first().waitFor();
    assert.equal(await page.locator("main script, .records img, .records b").count(), 0);

    await look(page, "msg:Long");
    await line(page, "lengthy").getByRole("button").first().click();
    await page.getByRole("button", { name: "Show all 4,000 characters" }).click();
    await page.getByRole("button", { name: "Show all 4,000 characters" }).waitFor({ state: "detached" });
  });

  it("pauses while a record is open, and can be resumed", async (t) => {
    const { app, open } = await shared(t);
    app.logger.info("First");
    const page = await open("/_/_/logs?q=level:info");
    await line(page, "First").getByRole("button").click();
    await page.getByRole("button", { name: /Resume/ }).waitFor();
    app.logger.info("Second");
    await page.getByRole("button", { name: "1 new · Resume" }).click();
    await line(page, "Second").waitFor();
    await page.getByRole("button", { name: /Resume/ }).waitFor({ state: "detached" });
  });

  it("draws only what is in sight of many records, and finds the oldest by scrolling", async (t) => {
    const { app, open } = await shared(t);
    for (let number = 0; number < 1_500; number++) app.logger.info("Counted", { number });
    const page = await open("/_/_/logs?q=msg:Counted");
    await line(page, "number=1499").waitFor();
    assert.ok((await page.locator(".records > li").count()) < 80);
    const end = page.getByText("End of list: no older records in this window.");
    const oldest = page.locator(".records > li", { hasText: /number=0$/ });
    await until("the oldest record is in sight", async () => {
      await page.evaluate("window.scrollTo(0, document.body.scrollHeight)");
      return oldest.isVisible();
    });
    await end.waitFor();
    assert.equal(await page.locator(".records > li").last().getAttribute("aria-setsize"), "1500");
  });

  it("hands out what was found as a file", async (t) => {
    const { app, open } = await shared(t);
    app.logger.info("Billed", { order: 17 });
    app.logger.info("Sent", { order: 17 });
    const page = await open("/_/_/logs?q=msg:Billed");
    await line(page, "order=17").waitFor();
    const address = await page.getByRole("link", { name: "NDJSON" }).getAttribute("href");
    assert.match(address!, /^\/_\/_\/data\/logs\.ndjson\?where=msg%3ABilled&from=\d+$/);
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "NDJSON" }).click();
    const lines = readFileSync(await (await download).path(), "utf8")
      .trim()
      .split("\n");
    assert.deepEqual(
      lines.map((each) => (JSON.parse(each) as { msg: string }).msg),
      ["Billed"],
    );
  });

  it("changes the log level for a while, and back", async (t) => {
    const { app, open } = await dashboard.start(t, { logLevel: "info" });
    const page = await open("/_/_/logs");
    await page.getByText("Logging info and above").waitFor();
    await page.getByRole("button", { name: "Log level" }).click();
    const dialog = page.getByRole("dialog", { name: "Log level" });
    await dialog.getByRole("button", { name: "Debug", exact: true }).click();
    await dialog.getByRole("button", { name: "5 min", exact: true }).click();
    await dialog.getByText("reverts to info automatically").waitFor();
    await dialog.getByRole("button", { name: "Set to debug" }).click();
    await page.getByText(/Logging debug and above, until .*, then info/).waitFor();
    assert.equal(app.logger.level, "debug");
    await page.getByRole("button", { name: "Log level" }).click();
    await dialog.getByRole("button", { name: "Revert to info now" }).click();
    await page.getByText("The log level is info again.").waitFor();
    assert.equal(app.logger.level, "info");
  });

  it("is accessible at every width and in both themes", async (t) => {
    const { app, open } = await shared(t);
    app.logger.error("A long failure", { error: new Error("x".repeat(300)), path: `/${"long-".repeat(60)}` });
    const page = await open("/_/_/logs?q=level:error", { viewport: phone });
    await line(page, "A long failure").getByRole("button").click();
    await page.getByText("start_time").waitFor();
    await checkLooks(page);
    await page.getByRole("button", { name: "Log level" }).click();
    await page.getByRole("dialog").waitFor();
    await checkLooks(page);
  });

  it("can be used by keyboard alone", async (t) => {
    const { app, open } = await shared(t);
    app.logger.info("Found by keys", { order: 17 });
    const page = await open("/_/_");
    await goByKeys(page, "l");
    await page.waitForURL(/\/_\/_\/logs/);
    await search(page).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("level:info keys");
    await page.keyboard.press("Enter");
    await line(page, "Found by keys").waitFor();
    await line(page, "Found by keys").getByRole("button").focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Only order: 17" }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/order%3A17/);
  });
});
