import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it, type TestContext } from "node:test";
import type { Page } from "playwright-core";
import type { ErrorTable } from "../src/features/metrics/wire.ts";
import type { App } from "../src/index.ts";
import { until } from "../src/lib/testing/until.ts";
import { parseStack, toStretches } from "../web/src/pages/errors/frames.ts";
import { toMarkdown } from "../web/src/pages/errors/report.ts";
import { account, checkLooks, checkWidth, phone, useDashboard } from "./support/dashboard.ts";

const dashboard = useDashboard();

const hostile = `<img src=x onerror="document.title='broken'"> ${"x".repeat(600)}\n    at evil (/app/evil.ts:1:1)`;

/** Lets a job fail once. */
async function failJob(app: App, id: string, error: () => Error): Promise<void> {
  app.jobs.registerJob(id, id, "Fails", "0 0 1 1 *", () => {
    throw error();
  });
  await app.jobs.run(id);
}

/** Errors are looked at once a second. */
async function untilKnown(app: App, kinds: number): Promise<void> {
  const { email: identity, password } = account;
  const url = "/api/collections/_superusers/auth-with-password";
  const login = await app.inject({ method: "POST", url, body: { identity, password } });
  const headers = { authorization: `Bearer ${login.json<{ token: string }>().token}` };
  await until(
    `${kinds} distinct errors`,
    async () => (await app.inject({ url: "/_/_/data/errors", headers })).json<{ errors: unknown[] }>(),
    ({ errors }) => errors.length >= kinds,
  );
}

/** The example without those of its jobs that fail now and then. A started job could run before it is paused. */
const startQuiet = (t: TestContext) => dashboard.start(t, {}, pauseFailing);

async function pauseFailing(app: App): Promise<void> {
  for (const job of ["import", "remind"]) await app.jobs.pause(job);
}

/** An application whose route failed three times, and a job of it once. */
const failing = dashboard.share({}, { prepare: pauseFailing, fill: failNow });

async function startFailing(t: TestContext) {
  const site = await startQuiet(t);
  await failNow(site.app);
  return site;
}

async function failNow(app: App): Promise<void> {
  for (let count = 0; count < 3; count++) {
    assert.equal((await app.inject({ method: "POST", url: "/demo/fail" })).status, 500);
  }
  await failJob(app, "orders", () => new TypeError("The warehouse is closed"));
  await untilKnown(app, 2);
}

const row = (page: Page, text: string) => page.locator(".error-row", { hasText: text });
const rowTypes = (page: Page) => page.locator(".error-row .error-message").allTextContents();
const drawer = (page: Page) => page.getByRole("dialog");
const query = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

async function openGroup(page: Page, text: string): Promise<void> {
  await row(page, text).locator(".error-name").click();
  await drawer(page).getByRole("heading", { name: "Stack" }).waitFor();
}

describe("the page about errors", () => {
  it("lists them by kind, with how often, when and where", async (t) => {
    const { open } = await failing(t);
    const page = await open("/_/_/errors");
    await page.getByRole("heading", { name: "2 distinct errors" }).waitFor();
    await page.getByText("4 errors", { exact: true }).waitFor();
    const route = row(page, "The failure button was pressed");
    // The application is younger than the window, so every error would be new.
    assert.equal(await route.getByText("New", { exact: true }).count(), 0);
    assert.equal(await page.getByRole("button", { name: /^New/ }).count(), 0);
    assert.equal(await route.locator("td[data-label=Count]").textContent(), "3");
    assert.match((await route.locator("td[data-label='Last seen']").textContent())!, /ago|now/);
    await row(page, "TypeError").getByText("The warehouse is closed").waitFor();
    await page.locator(".uplot").waitFor();

    await route.getByRole("link", { name: "POST /demo/fail" }).click();
    await page.waitForURL(/\/_\/_\/requests\?/);
    assert.equal(query(page).tab, "routes");
    assert.equal(query(page).route, "POST /demo/fail");
    await page.goBack();
    await row(page, "TypeError").getByRole("link", { name: "orders" }).click();
    await page.waitForURL(/\/_\/_\/cron\?job=orders/);
  });

  it("shows the details of one kind, with links to its requests and their records", async (t) => {
    const { open } = await failing(t);
    const page = await open("/_/_/errors");
    await openGroup(page, "The failure button was pressed");
    assert.match(query(page).error!, /^[\w-]{16}$/);
    await drawer(page).getByText("3 in this window, 3 in total").waitFor();
    await drawer(page).locator(".call-stack .own").first().getByText("examples/todos/site.ts").waitFor();
    const folded = drawer(page).locator(".call-stack details").first();
    assert.equal(await folded.locator("li").first().isVisible(), false);
    await folded.locator("summary").click();
    await folded.locator("li").first().waitFor();

    await page.reload();
    const trace = drawer(page).locator("table.table a.mono").first();
    const id = (await trace.textContent())!;
    assert.match(id, /^[A-Za-z0-9]{18}$/);
    await drawer(page)
      .getByRole("link", { name: `Log records of ${id}` })
      .click();
    await page.waitForURL(/\/_\/_\/logs\?/);
    assert.equal(query(page).q, `trace:${id}`);
    await page.goBack();
    await trace.click();
    await page.waitForURL(/\/_\/_\/requests\?/);
    assert.equal(query(page).trace, id);
  });

  it("leads from the trace of a run to its job, which no request asked for", async (t) => {
    const { open } = await failing(t);
    const page = await open("/_/_/errors");
    await openGroup(page, "The warehouse is closed");
    await drawer(page).locator("table.table a.mono").first().click();
    await page.waitForURL(/\/_\/_\/cron\?job=orders/);
  });

  it("copies it for an issue, and the stack alone", async (t) => {
    const { open } = await failing(t);
    const page = await open("/_/_/errors");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const read = () => page.evaluate<string>("navigator.clipboard.readText()");
    await openGroup(page, "The failure button was pressed");
    await drawer(page).getByRole("button", { name: "Copy for an issue" }).click();
    await drawer(page).getByRole("button", { name: "Copied" }).waitFor();
    const issue = await read();
    assert.match(issue, /^### Error: The failure button was pressed\n/);
    assert.match(issue, /- Where: `POST \/demo\/fail`\n- Count: 3 from .*Z, 3 in total\n/);
    assert.ok(issue.includes(`- Dashboard: ${page.url()}\n`));
    assert.match(issue, /\n```\nError: The failure button.*\n {4}at .*site\.ts/);
    await drawer(page).getByRole("button", { name: "Copy stack" }).click();
    await page.waitForFunction(
      "navigator.clipboard.readText().then((text) => text.startsWith('Error: The failure button'))",
    );
  });

  it("searches, as the keyboard asks for it, and remembers in the address", async (t) => {
    const { open } = await failing(t);
    const page = await open("/_/_/errors");
    await row(page, "TypeError").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("WAREHOUSE");
    // The beginning of the word is searched as well if typing takes long.
    await page.waitForURL(/q=WAREHOUSE/);
    await page.getByRole("heading", { name: "One distinct error" }).waitFor();
    await openGroup(page, "The warehouse is closed");
    await page.keyboard.press("Escape");
    await drawer(page).waitFor({ state: "detached" });
    assert.deepEqual(query(page), { q: "WAREHOUSE" });
    await page.getByRole("searchbox").fill("nothing is called that");
    await page.getByText("No error in this window matches").waitFor();
    await page.getByRole("button", { name: "Show all in this window" }).click();
    await page.getByRole("heading", { name: "2 distinct errors" }).waitFor();
    assert.equal(await page.getByRole("searchbox").inputValue(), "");
  });

  it("keeps every character that is typed while it searches", async (t) => {
    const { open } = await failing(t);
    const page = await open("/_/_/errors");
    await row(page, "TypeError").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("the ");
    await page.waitForURL(/q=the$/);
    await page.getByRole("heading", { name: "2 distinct errors" }).waitFor();
    await page.keyboard.type("warehouse");
    assert.equal(await page.getByRole("searchbox").inputValue(), "the warehouse");
    await page.waitForURL(/q=the\+warehouse$/);
  });

  it("orders by count, increase, last seen and first seen, and filters by new errors", async (t) => {
    const { open } = await failing(t);
    const page = await open("/_/_/errors");
    await row(page, "TypeError").waitFor();
    const [button, warehouse] = ["The failure button was pressed", "The warehouse is closed"];
    assert.deepEqual(await rowTypes(page), [button, warehouse]);
    const order = page.getByRole("toolbar", { name: "Order" });
    await order.getByRole("button", { name: "First seen" }).click();
    assert.deepEqual(await rowTypes(page), [warehouse, button]);
    assert.equal(query(page).sort, "first");
    await order.getByRole("button", { name: "Last seen" }).click();
    assert.deepEqual(await rowTypes(page), [warehouse, button]);

    // The same kinds, in a response that says that one of them was there before.
    await page.route(/\/_\/_\/data\/errors\?/, async (route) => {
      const response = await route.fetch();
      const json = (await response.json()) as Pick<ErrorTable, "errors">;
      const errors = json.errors.map((error) => {
        const isNew = error.type === "TypeError";
        return isNew
          ? { ...error, is_new: true, previous_count: 0 }
          : { ...error, is_new: false, count: 90, previous_count: 30 };
      });
      await route.fulfill({ response, json: { ...json, errors, has_earlier: true } });
    });
    await page.reload();
    await page.getByText("one distinct error is new").waitFor();
    await row(page, button).getByText("Rising ×3").waitFor();
    await order.getByRole("button", { name: "Rising" }).click();
    assert.deepEqual(await rowTypes(page), [button, warehouse]);
    await order.getByRole("button", { name: "Last seen" }).click();
    await page.getByRole("button", { name: /^New/ }).click();
    assert.deepEqual(await rowTypes(page), [warehouse]);
    assert.deepEqual(query(page), { sort: "last", new: "1" });
  });

  it("gives the list as a file in which nothing is a formula", async (t) => {
    const { app, open } = await startFailing(t);
    await failJob(app, "sheet", () => new Error("=HYPERLINK(1)"));
    await untilKnown(app, 3);
    const page = await open("/_/_/errors");
    await row(page, "HYPERLINK").waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "CSV" }).click(),
    ]);
    assert.equal(download.suggestedFilename(), "errors.csv");
    const lines = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
    assert.equal(
      lines[0],
      "fingerprint,type,message,where,count,total,first_seen,last_seen,is_new,instances",
    );
    assert.match(
      lines[1]!,
      /,Error,The failure button was pressed,POST \/demo\/fail,3,3,\d{4}-.*Z,\d{4}-.*Z,true,[^,]+$/,
    );
    assert.ok(lines.some((line) => line.includes(",'=HYPERLINK(1),job sheet,")));
  });

  it("says that all is well, and that an error is not known", async (t) => {
    const { open } = await startQuiet(t);
    const page = await open("/_/_/errors", { expects: /404/ });
    await page.getByText("No errors in this window").waitFor();
    await page
      .getByText("Error responses that a handler returns intentionally, such as a 404, are not listed")
      .waitFor();
    await page.getByRole("button", { name: "Last 7 days" }).click();
    assert.equal(query(page).range, "7d");
    await page.goto("/_/_/errors?error=aaaaaaaaaaaaaaaa");
    await drawer(page).getByText("This error is unknown").waitFor();
    await drawer(page).getByRole("button", { name: "Close" }).click();
    await drawer(page).waitFor({ state: "detached" });
  });

  it("shows whatever was thrown as text, and a message that looks like a stack as a message", async (t) => {
    const { app, open } = await startQuiet(t);
    await failJob(app, "hostile", () => new Error(hostile));
    await untilKnown(app, 1);
    const page = await open("/_/_/errors", { viewport: phone });
    await row(page, "<img src=x").waitFor();
    await checkWidth(page);
    await openGroup(page, "<img src=x");
    const shown = await drawer(page).locator(".error-full-message").textContent();
    assert.equal(shown, hostile);
    assert.doesNotMatch((await drawer(page).locator(".call-stack").textContent())!, /evil/);
    await checkWidth(page);
    const overhang =
      "document.querySelector('dialog').scrollWidth - document.querySelector('dialog').clientWidth";
    assert.equal(await page.evaluate<number>(overhang), 0);
    assert.equal(await page.title(), "Errors · Annex");
  });

  for (const width of [1440, 1024, 390]) {
    it(`shows every cause with type, message and frames at ${width} pixels`, async (t) => {
      const { app, open } = await startQuiet(t);
      await failJob(app, "checkout", () => {
        const refused = new RangeError(`connect ECONNREFUSED ${"10.0.0.7 ".repeat(30)}`);
        const timeout = new TypeError("No response from acme-pay within 5000 ms", { cause: refused });
        return new Error("The payment failed", { cause: timeout });
      });
      await untilKnown(app, 1);
      const page = await open("/_/_/errors", { viewport: { width, height: 900 } });
      await openGroup(page, "The payment failed");
      await drawer(page).getByRole("heading", { name: "2 causes" }).waitFor();
      const causes = drawer(page).locator(".error-causes > li");
      assert.match((await causes.nth(0).textContent())!, /Caused by TypeError No response from acme-pay/);
      assert.match((await causes.nth(1).textContent())!, /Caused by RangeError connect ECONNREFUSED/);
      for (const index of [0, 1]) await causes.nth(index).locator(".call-stack .own").first().waitFor();
      await checkWidth(page);
    });
  }

  it("copies the causes with the stack", async (t) => {
    const { app, open } = await startQuiet(t);
    await failJob(
      app,
      "checkout",
      () => new Error("The payment failed", { cause: new TypeError("No response") }),
    );
    await untilKnown(app, 1);
    const page = await open("/_/_/errors");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await openGroup(page, "The payment failed");
    await drawer(page).getByRole("button", { name: "Copy stack" }).click();
    await drawer(page).getByRole("button", { name: "Copied" }).waitFor();
    const text = await page.evaluate<string>("navigator.clipboard.readText()");
    assert.match(
      text,
      /^Error: The payment failed\n {4}at [\s\S]*\nCaused by: TypeError: No response\n {4}at /,
    );
  });

  it("works with the keyboard alone", async (t) => {
    const { open } = await failing(t);
    const page = await open("/_/_/errors");
    const name = row(page, "TypeError").locator(".error-name");
    await name.waitFor();
    await page.locator("main").focus();
    const isFocused = () => name.evaluate((element) => element === element.ownerDocument.activeElement);
    for (let presses = 0; presses < 40 && !(await isFocused()); presses++) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await drawer(page).getByRole("heading", { name: "TypeError" }).waitFor();
    await page.keyboard.press("Escape");
    await drawer(page).waitFor({ state: "detached" });
    assert.equal(await isFocused(), true, "and the focus is where it was");
  });

  it("is accessible at every width and in both themes", async (t) => {
    const { open } = await failing(t);
    const page = await open("/_/_/errors", { viewport: phone });
    await row(page, "TypeError").waitFor();
    await checkLooks(page);
    await openGroup(page, "The failure button was pressed");
    await checkLooks(page);
  });
});

describe("an error as others get it", () => {
  const stack = [
    "Error: no ```such``` order",
    "    at query (/app/node_modules/@scope/pg/lib/client.js:1:1)",
    "    at async findOrder (file:///app/orders.ts:10:7)",
    "    at async file:///app/main.ts:3:1",
    "    at node:internal/process/task_queues:105:5",
  ].join("\n");

  it("is Markdown that what a stranger wrote cannot leave", () => {
    const text = toMarkdown(
      {
        fingerprint: "f",
        origin: "GET /orders",
        type: "Error",
        message: "no ```such``` order\n# @everyone <img>",
        stack,
        causes: [
          {
            relation: "cause",
            type: "TypeError",
            message: "inner",
            stack: "TypeError: inner\n    at ````` (/a.ts:1:1)",
          },
          { relation: "error", type: "string", message: "text", stack: "" },
        ],
        routes: ["GET /`x`"],
        jobs: ["backup"],
        count: 1,
        total: 2,
        is_new: true,
        has_earlier: true,
        series: [],
        instances: [{ instance: "i", count: 1 }],
        samples: [{ time: 0, trace_id: "t", instance: "i", message: "" }],
        first_seen: 0,
        last_seen: 1_000,
        from: 0,
        to: 60_000,
        step_ms: 60_000,
      },
      "http://x/_/_/errors",
    );
    const lines = text.split("\n");
    assert.equal(lines[0], "### Error: no \\`\\`\\`such\\`\\`\\` order \\# \\@everyone \\<img\\>");
    assert.equal(lines[2], "- Where: `GET /'x'`, `job backup`");
    assert.deepEqual([lines[9], lines.at(-2)], ["``````", "``````"], "longer than what is inside");
    assert.match(text, /\nCaused by: TypeError: inner\n {4}at `````/);
    assert.match(text, /\nWith error: string: text\n/);
  });

  it("has the application's frames apart from those of packages and of Node", () => {
    const stretches = toStretches(parseStack(stack, "no ```such``` order"));
    assert.deepEqual(
      stretches.map(({ isOwn, frames }) => [isOwn, frames.map(({ call, place }) => [call, place])]),
      [
        [false, [["query", "/app/node_modules/@scope/pg/lib/client.js:1:1"]]],
        [
          true,
          [
            ["async findOrder", "/app/orders.ts:10:7"],
            [undefined, "/app/main.ts:3:1"],
          ],
        ],
        [false, [[undefined, "node:internal/process/task_queues:105:5"]]],
      ],
    );
  });
});
