import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import type { App } from "../src/index.ts";
import {
  account,
  checkAccessibility,
  checkWidth,
  goByKeys,
  looks,
  phone,
  untilHealthKnown,
  useDashboard,
} from "./support/dashboard.ts";

const dashboard = useDashboard();
const shared = dashboard.share();

const pages = ["Overview", "Requests", "Errors", "Visitors", "Cron", "Logs", "Access", "API", "Config"];

async function signInAgain(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await dialog.getByLabel("Password").fill(account.password);
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await dialog.waitFor({ state: "detached" });
}

/** So often that the route is among those that most time is spent in. */
async function callTodos(app: App, times: number): Promise<void> {
  for (let count = 0; count < times; count++) await app.inject({ url: "/api/v1/todos" });
}

const search = (page: Page) => new URL(page.url()).searchParams;

describe("the way into the dashboard", () => {
  it("leads through the sign-in to where one was going", async (t) => {
    const { open, url } = await shared(t);
    const page = await open("/_/_/logs?range=6h&q=status%3A500", { signedIn: false });
    await page.getByLabel("Email").fill(account.email);
    await page.getByLabel("Password").fill(account.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(`${url}/_/_/logs?range=6h&q=status%3A500`);
    await page.getByRole("heading", { level: 1, name: "Logs" }).waitFor();
  });

  it("ends with a click", async (t) => {
    const { open, url } = await shared(t);
    // What the page was asking for at that moment is refused.
    const page = await open("/_/_", { expects: /401/ });
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("You are signed out.").waitFor();
    await page.goto("/_/_");
    assert.equal(page.url(), `${url}/_/?next=%2F_%2F_`);
  });

  it("stays open when a session ends: the user signs in again and continues", async (t) => {
    const { app, open } = await shared(t);
    const page = await open("/_/_/requests", { expects: /40[01]/ });
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: /trace ID/ }).fill("half a word");
    await app.superusers.changePassword(account.email, account.password);
    await page.getByRole("dialog", { name: "Sign in again" }).waitFor();
    await checkAccessibility(page);
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.getByLabel("Password").fill("not this one");
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await dialog.getByRole("alert").getByText("Invalid email or password.").waitFor();
    for (const _ of ["asked", "unasked"]) await page.keyboard.press("Escape");
    // There is nothing to go back to, however often one asks.
    await dialog.waitFor();
    assert.equal(await dialog.getByRole("button", { name: "Close" }).count(), 0);
    await signInAgain(page);
    assert.equal(await page.getByRole("combobox", { name: /trace ID/ }).inputValue(), "half a word");
  });

  it("shows why the server refuses to sign the user in again", async (t) => {
    const options = { trustedProxies: ["127.0.0.1"], auth: { allowedAddresses: ["127.0.0.1"] } };
    const { app, open } = await dashboard.start(t, options);
    const page = await open("/_/_/requests", { expects: /40[013]|413|429/ });
    await app.superusers.changePassword(account.email, account.password);
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    const submit = async (password: string, message: string | RegExp) => {
      await dialog.getByLabel("Password").fill(password);
      await dialog.getByRole("button", { name: "Sign in" }).click();
      await dialog.getByRole("alert").getByText(message).waitFor();
    };
    await dialog.waitFor();
    await page.setExtraHTTPHeaders({ "x-forwarded-for": "203.0.113.7" });
    await submit(account.password, "Superusers cannot sign in from this address.");
    await page.setExtraHTTPHeaders({});
    for (let count = 0; count < 5; count++) await submit("not this one", "Invalid email or password.");
    await submit("not this one", /^Too many failed sign-ins. Try again in 15 minutes.$/);
    // This one is not a page but JSON.
    await submit("x".repeat(70_000), /^The request body is larger/);
  });

  it("asks for the password when the session is ended elsewhere, though the page asks nothing but its stream", async (t) => {
    const { app, open } = await shared(t);
    const page = await open("/_/_", { expects: /401|ERR_FAILED/ });
    await page.locator(".tile-value").first().waitFor();
    // From here on only the live stream is left, which must not go on without a session.
    await page.route(/\/_\/_\/data\/(?!recent)/, (route) => route.abort());
    await app.superusers.changePassword(account.email, account.password);
    await page.getByRole("dialog", { name: "Sign in again" }).waitFor();
  });

  it("does not count as use while its user is away", async (t) => {
    const { open } = await shared(t);
    const page = await open("/_/_");
    const isMarked = (request: { headers(): Record<string, string>; url(): string }) =>
      request.url().includes("/_/_/data/") && request.headers()["x-annex-automatic"] === "1";
    await page.locator(".tile-value").first().waitFor();
    await page.clock.install();
    await page.clock.fastForward(10 * 60_000);
    await page.waitForRequest(isMarked);
    await page.mouse.move(10, 10);
    await page.waitForRequest((request) => request.url().includes("/_/_/data/") && !isMarked(request));
  });
});

describe("a page whose session has ended", () => {
  it("sends no request until the user has signed in again", async (t) => {
    const { app, open } = await shared(t);
    const page = await open("/_/_/requests", { expects: /401/ });
    await app.superusers.changePassword(account.email, account.password);
    await page.getByRole("dialog", { name: "Sign in again" }).waitFor();
    const sent: string[] = [];
    page.on("request", (request) => sent.push(new URL(request.url()).pathname));
    // The overview asks for its data as soon as it is shown.
    await page.evaluate("history.pushState(null, '', '/_/_'); dispatchEvent(new PopStateEvent('popstate'))");
    await page
      .getByRole("heading", { level: 1, name: "Overview", includeHidden: true })
      .waitFor({ state: "attached" });
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))");
    assert.deepEqual(sent, []);
    const asked = page.waitForResponse(
      (response) => response.url().includes("/data/routes") && response.ok(),
    );
    await signInAgain(page);
    await asked;
  });
});

describe("the first load", () => {
  it("is at most 70 KB of script and style, compressed", () => {
    const folder = new URL("../web/dist/", import.meta.url);
    type Chunk = { file: string; isEntry?: boolean; css?: string[]; imports?: string[] };
    const manifest: Record<string, Chunk> = JSON.parse(
      readFileSync(new URL("manifest.json", folder), "utf8"),
    );
    const filesOf = ({ file, css = [], imports = [] }: Chunk): string[] => [
      file,
      ...css,
      ...imports.flatMap((name) => filesOf(manifest[name]!)),
    ];
    const entry = Object.values(manifest).find(({ isEntry }) => isEntry)!;
    const sizes = [...new Set(filesOf(entry))].map(
      (file) => gzipSync(readFileSync(new URL(file, folder)), { level: 9 }).length,
    );
    const total = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(total > 20_000, "something was measured");
    assert.ok(total <= 70_000, `It is ${total} bytes.`);
  });
});

describe("the shell", () => {
  for (const { name, ...look } of looks) {
    it(`is clean at ${name}`, async (t) => {
      const { open } = await shared(t);
      const page = await open("/_/_", look);
      await page.locator(".tile-value").first().waitFor();
      await page.locator(".system-group").first().waitFor();
      await checkAccessibility(page);
      await checkWidth(page);
      await page.keyboard.press("Shift+?");
      await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
      await checkAccessibility(page);
    });
  }

  it("leads to every page, each with its own name, also on a phone", async (t) => {
    const { open } = await shared(t);
    const page = await open("/_/_?range=6h", { viewport: phone });
    for (const name of pages) {
      await page.getByRole("navigation").getByRole("link", { name, exact: true }).click();
      await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
      assert.equal(await page.title(), `${name} · Annex`);
      assert.equal(search(page).get("range"), "6h", "the window goes along");
      await checkWidth(page);
    }
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "API" }).waitFor();
  });

  it("is worked by keys alone", async (t) => {
    const { open } = await shared(t);
    const page = await open("/_/_");
    await goByKeys(page, "l");
    await page.getByRole("heading", { level: 1, name: "Logs" }).waitFor();
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Paused" }).waitFor();
    assert.equal(search(page).get("live"), "0");
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Live" }).waitFor();
    await page.keyboard.press("Shift+?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor({ state: "detached" });
    await page.reload();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    assert.equal(
      await page.evaluate("document.activeElement.id"),
      "main",
      "the first key leads to the content",
    );
  });

  it("is dark or light as the system is, or as one chose, from the first moment", async (t) => {
    const { open } = await shared(t);
    const page = await open("/_/_", { colorScheme: "light" });
    const ground = () => page.evaluate<string>("getComputedStyle(document.documentElement).backgroundColor");
    const light = await ground();
    await page.getByRole("button", { name: "Switch to dark" }).click();
    await page.getByRole("button", { name: "Switch to light" }).waitFor();
    const dark = await ground();
    assert.notEqual(dark, light);
    await page.reload({ waitUntil: "commit" });
    assert.equal(await page.locator("html").getAttribute("data-theme"), "dark");
    await page.getByRole("button", { name: "Switch to light" }).click();
    assert.equal(await ground(), light);
  });
});

describe("the time bar", () => {
  it("puts the window into the address, where a link finds it again", async (t) => {
    const { open } = await shared(t);
    const page = await open("/_/_");
    await page.getByRole("button", { name: "6h", exact: true }).click();
    assert.equal(search(page).get("range"), "6h");
    await page.getByRole("button", { name: "UTC" }).click();
    assert.equal(search(page).get("tz"), "utc");
    await page.reload();
    assert.equal(
      await page.getByRole("button", { name: "6h", exact: true }).getAttribute("aria-pressed"),
      "true",
    );
    assert.equal(await page.getByRole("button", { name: "UTC" }).getAttribute("aria-pressed"), "true");
  });

  it("takes a window with fixed ends, refuses a wrong one, and goes back to now", async (t) => {
    const { open } = await shared(t);
    const page = await open("/_/_?tz=utc");
    await page.getByRole("button", { name: "Custom" }).click();
    const dialog = page.getByRole("dialog", { name: "Choose a time range" });
    await dialog.getByLabel("From").fill("2026-03-01T12:00:00");
    await dialog.getByLabel("To", { exact: true }).fill("2026-03-01T11:00:00");
    await dialog.getByRole("button", { name: "Show" }).click();
    await dialog.getByRole("alert").getByText("later than the start").waitFor();
    await dialog.getByLabel("To", { exact: true }).fill("2026-03-01T13:00:00");
    await dialog.getByRole("button", { name: "Show" }).click();
    await page.getByRole("button", { name: "1 Mar, 12:00 – 1 Mar, 13:00" }).waitFor();
    assert.equal(search(page).get("from"), String(Date.parse("2026-03-01T12:00:00Z")));
    await page.getByRole("button", { name: "Paused" }).click();
    await page.getByRole("button", { name: "Live" }).waitFor();
    assert.equal(search(page).has("from"), false);
  });

  it("keeps a paused window, even when the link is shared", async (t) => {
    const { open } = await shared(t);
    const page = await open("/_/_?range=1h");
    await untilHealthKnown(page);
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Paused" }).waitFor();
    const to = Number(search(page).get("to"));
    const asked = page.waitForRequest((request) => request.url().includes("/data/routes?"));
    await page.goto(page.url().replace(String(to), String(to - 1_800_000)));
    const question = new URL((await asked).url()).searchParams;
    assert.equal(question.get("to"), String(to - 1_800_000));
    assert.equal(question.get("from"), String(to - 1_800_000 - 3_600_000));
    // The health status of a paused window refers to the window.
    await untilHealthKnown(page);
    await page.getByRole("region", { name: "Health" }).getByText("in this window").waitFor();
    await page.locator(".system-group").first().waitFor();
    await page.getByRole("button", { name: "6h", exact: true }).click();
    assert.equal(search(page).get("to"), String(to - 1_800_000), "a longer window ends at the same moment");
  });

  it("goes no further than to now, and keeps its length", async (t) => {
    const { open } = await shared(t);
    const now = Date.now();
    const page = await open(`/_/_?from=${now - 900_000}&to=${now - 60_000}`);
    const length = () => Number(search(page).get("to")) - Number(search(page).get("from"));
    for (const _ of [1, 2, 3]) await page.getByRole("button", { name: "Later" }).click();
    assert.equal(length(), 840_000);
    assert.ok(Number(search(page).get("to")) <= Date.now());
  });

  it("takes no window from the address that cannot be", async (t) => {
    const { open } = await shared(t);
    const page = await open("/_/_?from=yesterday&to=7");
    await untilHealthKnown(page);
    const pressed = page.getByRole("button", { name: "15m", exact: true });
    assert.equal(await pressed.getAttribute("aria-pressed"), "true");
  });

  it("takes a window by dragging over the time line, or over a chart", async (t) => {
    const { app, open } = await shared(t);
    await callTodos(app, 40);
    const page = await open("/_/_?range=1h");
    for (const target of [".timeline svg", ".chart-plot .u-over"]) {
      await page.goto("/_/_?range=1h");
      await page.locator(".table").getByText("GET /api/v1/todos").first().waitFor();
      // A chart without data has no times either.
      await page.locator(".chart-plot:not(.is-empty)").first().waitFor();
      const box = (await page.locator(target).first().boundingBox())!;
      const y = box.y + box.height / 2;
      await page.mouse.move(box.x + box.width * 0.5, y);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.7, y, { steps: 4 });
      await page.mouse.up();
      await page.getByRole("button", { name: "Paused" }).waitFor();
      const length = Number(search(page).get("to")) - Number(search(page).get("from"));
      assert.ok(length > 60_000, `${target}: ${length}`);
    }
  });
});

describe("the palette", () => {
  it("leads from a trace ID, a job, a route and a page to where they are shown", async (t) => {
    const { app, open } = await shared(t);
    await callTodos(app, 40);
    const { headers } = await app.inject({ url: "/api/v1/todos" });
    const page = await open("/_/_");
    await page.locator(".table").getByText("GET /api/v1/todos").first().waitFor();
    const find = async (text: string, option: RegExp | string) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: /trace ID/ }).fill(text);
      await page.getByRole("option", { name: option }).first().waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("combobox", { name: /trace ID/ }).waitFor({ state: "detached" });
    };
    await find("backup", /Job backup/);
    await page.waitForURL(/\/_\/_\/cron\?.*job=backup/);
    await find("todos get", "GET /api/v1/todos");
    await page.waitForURL(/\/_\/_\/requests\?.*route=GET/);
    await find("visit", "Visitors");
    await page.waitForURL(/\/_\/_\/visitors/);
    await find(String(headers["x-trace-id"]), /Request/);
    await page.waitForURL(/\/_\/_\/requests\?.*trace=/);
  });

  it("performs actions: it runs a job after asking, pauses, changes the log level and opens a release", async (t) => {
    const { app, open } = await dashboard.start(t, { release: "1.4.2", logLevel: "info" });
    const page = await open("/_/_");
    await page.locator(".timeline .marker.release").waitFor();
    const choose = async (text: string, option: string) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: /trace ID/ }).fill(text);
      await page.getByRole("option", { name: option }).first().click();
    };
    await choose("pause", "Pause");
    await page.getByRole("button", { name: "Paused" }).waitFor();
    await choose("live", "Go live");
    await page.getByRole("button", { name: "Live", exact: true }).waitFor();
    await choose("debug", "Log everything for 15 minutes");
    await page.getByText("The log level is debug for 15 minutes.").waitFor();
    assert.equal(app.logger.level, "debug");
    await choose("release 1.4", "Before and after release 1.4.2");
    await page.getByRole("dialog", { name: /^Before and after/ }).waitFor();
    await page.keyboard.press("Escape");

    await choose("run backup", "Run ");
    await page.getByRole("dialog", { name: /^Run / }).getByRole("button", { name: "Cancel" }).click();
    assert.ok(!page.url().includes("run="));
    await choose("run backup", "Run ");
    await page.getByRole("dialog", { name: /^Run / }).getByRole("button", { name: "Run now" }).click();
    await page.waitForURL(/\/_\/_\/cron\?.*job=backup.*run=/);
  });

  it("is clean, moves with the arrows, and offers to search the logs for anything else", async (t) => {
    const { open } = await shared(t);
    const page = await open("/_/_");
    await page.getByRole("button", { name: /Find a trace/ }).click();
    const field = page.getByRole("combobox", { name: /trace ID/ });
    await field.waitFor();
    await page.keyboard.press("ArrowDown");
    await page.locator('[role="option"][aria-selected="true"]', { hasText: "Requests" }).waitFor();
    await checkAccessibility(page);
    await field.fill("<img src=x onerror=alert(1)>");
    await page.getByRole("option", { name: "Search the logs for “<img src=x onerror=alert(1)>”" }).waitFor();
  });
});

describe("what happens now", () => {
  it("arrives on the overview automatically, while requests run", async (t) => {
    const { app, open } = await dashboard.start(t);
    const page = await open("/_/_");
    await untilHealthKnown(page);
    const calls = page.locator(".table tr", { hasText: "GET /api/v1/todos" }).locator('[data-label="Calls"]');
    await callTodos(app, 45);
    await calls.getByText("45").waitFor();
    await callTodos(app, 5);
    await calls.getByText("50").waitFor();
    await page.locator(".chart").first().getByText("Table").click();
    await page.getByRole("region", { name: "Requests per second, values" }).waitFor();
  });

  it("leads from a number to what it counts", async (t) => {
    const { app, open } = await dashboard.start(t);
    await app.inject({ method: "POST", url: "/demo/fail" });
    const page = await open("/_/_");
    const tiles = page.getByRole("list", { name: "Metrics" });
    await tiles.getByRole("link", { name: "Errors" }).click();
    await page.locator(".requests").getByRole("link", { name: "/demo/fail" }).waitFor();
    assert.equal(search(page).get("q"), "status:5xx");
  });

  it("links each reason of the health status to its cause", async (t) => {
    const { app, open } = await dashboard.start(t);
    app.jobs.registerJob("bad", "Broken report", "", "0 0 1 1 *", () => {
      throw new Error("no disk");
    });
    const page = await open("/_/_");
    await app.jobs.run("bad");
    const health = page.getByRole("region", { name: "Health" });
    await health.getByText("Degraded").waitFor();
    const reason = health.getByRole("listitem");
    await reason.getByText(/^since \d\d:\d\d:\d\d \(/).waitFor();
    await reason.getByRole("link", { name: 'Job "Broken report" failed in its last run.' }).click();
    await page.getByRole("heading", { level: 1, name: "Broken report" }).waitFor();
    // A window in the past shows what was wrong in it.
    const now = Date.now();
    await page.goto(`/_/_?from=${now - 600_000}&to=${now}`);
    await health.getByRole("link", { name: 'Job "Broken report" failed.' }).waitFor();
  });

  it("does not have the dashboard's own requests among those of the application", async (t) => {
    const { app, open } = await dashboard.start(t);
    const page = await open("/_/_/requests");
    await app.inject({ url: "/about" });
    await page.locator(".requests").getByRole("link", { name: "/about" }).waitFor();
    assert.deepEqual(await page.locator(".requests tbody a").allInnerTexts(), ["/about"]);
  });

  it("comes over one stream for all windows of a browser", async (t) => {
    const { app, open } = await dashboard.start(t);
    const first = await open("/_/_");
    await untilHealthKnown(first);
    const second = await first.context().newPage();
    await second.goto("/_/_");
    await untilHealthKnown(second);
    const now = await second.evaluate<{ cost: { watchers: number } }>(
      "fetch('/_/_/data/now').then((response) => response.json())",
    );
    assert.equal(now.cost.watchers, 1);
    await first.close();
    // Whoever was told goes on by itself.
    await second.waitForFunction(
      "fetch('/_/_/data/now').then((response) => response.json()).then((now) => now.cost.watchers === 1)",
    );
    assert.ok(app);
  });

  it("reconnects after the server was unreachable, and reports it", async (t) => {
    const first = await dashboard.start(t);
    const page = await first.open("/_/_", { expects: /ERR_|Failed to load|503/ });
    await untilHealthKnown(page);
    const port = Number(new URL(first.url).port);
    await first.app.stop();
    await page.getByText("The server cannot be reached.").first().waitFor();
    await page.getByText("Not reachable").waitFor();
    assert.equal(await page.getByText("cannot be reached").count(), 1, "it is said once");
    await dashboard.start(t, { port, dataDir: first.dataDir });
    await page.getByText("The server restarted").waitFor();
    await untilHealthKnown(page);
  });
});
