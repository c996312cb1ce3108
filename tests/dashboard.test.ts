import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { type App, sql } from "../src/index.ts";
import { until } from "../src/lib/testing/until.ts";
import {
  account,
  checkAccessibility,
  checkLooks,
  checkWidth,
  delayFrames,
  desktop,
  goByKeys,
  phone,
  untilCounted,
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
    // While a clock is being installed, the time is zero for a moment, and a live page would ask for that window.
    await page.goto("about:blank");
    await page.clock.install();
    await page.goto("/_/_");
    await page.locator(".tile-value").first().waitFor();
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
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      // The code of other pages needs no session. A busy browser loads it late.
      if (!/\.(js|css)$/.test(pathname)) sent.push(pathname);
    });
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
  it("is at most 50 KB of script and style before the first numbers, compressed", () => {
    const folder = new URL("../web/dist/dashboard/", import.meta.url);
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
    assert.ok(total <= 50_000, `It is ${total} bytes.`);
  });

  for (const viewport of [desktop, phone]) {
    it(`does not move what it has shown, at ${viewport.width} px`, async (t) => {
      const { app, open } = await dashboard.start(t);
      app.jobs.registerJob("bad", "Broken report", "", "0 0 1 1 *", () => {
        throw new Error("no disk");
      });
      const { id } = await app.jobs.run("bad");
      await callTodos(app, 40);
      await untilCounted(app, "GET /api/v1/todos", 40);
      await until(
        "the run has ended",
        () => app.jobs.findRun(id),
        ({ status }) => status === "failed",
      );
      const page = await open("/_/_", { viewport });
      const reason = page.getByRole("region", { name: "Health" }).getByText("Broken report").first();
      await reason.waitFor();
      // Without its stream, because a reason that comes up later moves the page, and a busy machine has some.
      await page.route("**/_/_/live", () => {});
      await page.reload();
      await reason.waitFor();
      await page.locator(".chart-plot:not(.is-empty) canvas").first().waitFor();
      await page.locator(".system-group").first().waitFor();
      const moved = await page.evaluate<number>(`new Promise((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const { value } of list.getEntries()) sum += value;
        }).observe({ type: "layout-shift", buffered: true });
        setTimeout(() => resolve(sum), 500);
      })`);
      assert.ok(moved < 0.1, `The layout shift is ${moved}.`);
    });
  }
});

describe("the shell", () => {
  it("is accessible at every width and in both themes", async (t) => {
    const { open } = await shared(t);
    const page = await open("/_/_", { viewport: phone });
    await page.locator(".tile-value").first().waitFor();
    await page.locator(".system-group").first().waitFor();
    await checkLooks(page);
    await page.keyboard.press("Shift+?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await checkLooks(page);
  });

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

  it("has two rows on a phone, and shows the rest on request", async (t) => {
    const { open } = await shared(t);
    const page = await open("/_/_", { viewport: phone });
    const bar = page.getByRole("region", { name: "Time", exact: true });
    const { y, height } = (await bar.boundingBox())!;
    assert.ok(y + height < 100, `The bars are ${y + height} px high.`);
    const range = bar.getByRole("combobox", { name: "Range" });
    await range.selectOption("Last 6h");
    assert.equal(search(page).get("range"), "6h");
    await range.selectOption("Custom…");
    const dialog = page.getByRole("dialog", { name: "Choose a time range" });
    await dialog.getByLabel("From").fill("2026-03-01T12:00:00");
    await dialog.getByLabel("To", { exact: true }).fill("2026-03-01T13:00:00");
    await dialog.getByRole("button", { name: "Show" }).click();
    await range.locator("option:checked", { hasText: "1 Mar, 12:00–13:00" }).waitFor({ state: "attached" });
    await bar.getByRole("button", { name: "More about the time" }).click();
    await bar.locator(".timeline").waitFor();
    await bar.getByRole("button", { name: "What changed?" }).waitFor();
    await bar.getByRole("button", { name: "UTC" }).click();
    assert.equal(search(page).get("tz"), "utc");
    await checkAccessibility(page);
    await checkWidth(page);
  });

  it("is worked by keys alone", async (t) => {
    const { open } = await shared(t);
    const page = await open("/_/_");
    await goByKeys(page, "l");
    await page.getByRole("heading", { level: 1, name: "Logs" }).waitFor();
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Paused", exact: true }).waitFor();
    assert.equal(search(page).get("live"), "0");
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Live", exact: true }).waitFor();
    await page.keyboard.press("Shift+?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor({ state: "detached" });
    await page.reload();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    const focused = () => page.evaluate("document.activeElement.id");
    await until("the first key leads to the content", focused, (id) => id === "main");
  });

  it("has one tab stop for the pages, the ranges and the changes, and the arrow keys move within each", async (t) => {
    const { open } = await shared(t);
    const page = await open("/_/_?range=6h");
    await page.locator(".timeline .marker").first().waitFor({ state: "attached" });
    await page.locator(".system-group").first().waitFor();
    const focused = () => page.evaluate<string>("document.activeElement.textContent.trim()");
    const stops: string[] = [];
    while (!(await page.evaluate("document.activeElement.closest('main') !== null"))) {
      await page.keyboard.press("Tab");
      stops.push(await focused());
      assert.ok(stops.length < 20, `Tab stops before the page: ${stops.join(", ")}`);
      if (stops.at(-1) === "Overview") {
        await page.keyboard.press("ArrowDown");
        assert.equal(await focused(), "Requests");
        await page.keyboard.press("ArrowUp");
      }
      if (stops.at(-1) === "6h") {
        await page.keyboard.press("ArrowRight");
        await page.keyboard.press("Enter");
        assert.equal(search(page).get("range"), "24h");
        await page.keyboard.press("Home");
        assert.equal(await focused(), "15m");
        await page.keyboard.press("ArrowLeft");
        assert.equal(await focused(), "30d");
      }
    }
    for (const name of ["Skip to content", "Overview", "6h"]) assert.ok(stops.includes(name), stops.join());
    assert.equal(stops.filter((text) => pages.includes(text)).length, 1);
    assert.equal(stops.filter((text) => /started/.test(text)).length, 1);
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
    await page.getByRole("button", { name: "Paused", exact: true }).click();
    await page.getByRole("button", { name: "Live", exact: true }).waitFor();
    assert.equal(search(page).has("from"), false);
  });

  it("keeps a paused window, even when the link is shared", async (t) => {
    const { open } = await shared(t);
    const page = await open("/_/_?range=1h");
    await untilHealthKnown(page);
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Paused", exact: true }).waitFor();
    const to = Number(search(page).get("to"));
    const earlier = String(to - 1_800_000);
    const asked = page.waitForRequest((request) => {
      const { pathname, searchParams } = new URL(request.url());
      return pathname.endsWith("/data/routes") && searchParams.get("to") === earlier;
    });
    await page.goto(page.url().replace(String(to), earlier));
    const question = new URL((await asked).url()).searchParams;
    assert.equal(question.get("from"), String(to - 1_800_000 - 3_600_000));
    // The health status of a paused window refers to the window.
    await untilHealthKnown(page);
    await page.getByRole("region", { name: "Health" }).getByText("in this window").waitFor();
    await page.locator(".system-group").first().waitFor();
    await page.getByRole("button", { name: "6h", exact: true }).click();
    assert.equal(search(page).get("to"), earlier, "a longer window ends at the same moment");
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
      await page.getByRole("button", { name: "Paused", exact: true }).waitFor();
      const length = Number(search(page).get("to")) - Number(search(page).get("from"));
      assert.ok(length > 60_000, `${target}: ${length}`);
    }
  });
});

describe("a latency chart", () => {
  it("has a logarithmic axis if one chose it, and keeps it", async (t) => {
    const { app, open } = await shared(t);
    await callTodos(app, 40);
    await untilCounted(app, "GET /api/v1/todos", 40);
    const page = await open(`/_/_?to=${Date.now()}&live=0`);
    const chart = page.getByRole("figure", { name: "Latency" });
    await chart.locator(".chart-plot:not(.is-empty)").waitFor();
    const picture = () =>
      page.evaluate<string>("document.querySelector('.chart:has(.log-axis) canvas').toDataURL()");
    await chart.getByText("Table").click();
    const table = await chart.getByRole("table").innerText();
    const blank = await page.evaluate<string>(`{
      const { width, height } = document.querySelector('.chart:has(.log-axis) canvas');
      Object.assign(document.createElement("canvas"), { width, height }).toDataURL();
    }`);
    const even = await until("the chart is drawn", picture, (drawn) => drawn !== blank);
    const toggle = chart.getByRole("button", { name: "Log axis", pressed: false });
    const pressed = chart.getByRole("button", { name: "Log axis", pressed: true });
    await toggle.click();
    const logarithmic = await until("the axis is logarithmic", picture, (drawn) => drawn !== even);
    await pressed.click();
    await until("the axis is even again", picture, (drawn) => drawn !== logarithmic);
    await toggle.click();
    await pressed.waitFor();
    assert.equal(await chart.getByRole("table").innerText(), table, "the values stay as they are");
    await checkAccessibility(page);
    await page.reload();
    await pressed.click();
    await toggle.waitFor();
  });

  it("is not drawn if the library arrives after the page was left", async (t) => {
    const { open } = await shared(t);
    const page = await open("/_/_/config");
    await page.getByRole("heading", { level: 1, name: "Config" }).waitFor();
    const requested = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    await page.route(/assets\/plot-/, async (route) => {
      requested.resolve();
      await left.promise;
      await route.continue();
    });
    await page.getByRole("navigation").getByRole("link", { name: "Overview", exact: true }).click();
    await requested.promise;
    await untilHealthKnown(page);
    await delayFrames(page);
    await page.getByRole("navigation").getByRole("link", { name: "Config", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Config" }).waitFor();
    const arrived = page.waitForResponse(/assets\/plot-/);
    left.resolve();
    await (await arrived).finished();
    // An error on the page would fail the test.
    await page.getByRole("navigation").getByRole("link", { name: "Overview", exact: true }).click();
    await page.locator(".uplot").first().waitFor();
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
    // The page of requests was already loaded, so the drawer opens before the key is released. It must stay open.
    await find(String(headers["x-trace-id"]), /^Request /);
    await page.waitForURL(/\/_\/_\/requests\?.*trace=/);
    await page.getByRole("dialog", { name: /todos/ }).waitFor();
  });

  it("performs actions: it runs a job after asking, pauses, changes the log level and opens a release", async (t) => {
    const { app, open } = await dashboard.start(t, { release: "1.4.2", logLevel: "info" });
    const page = await open("/_/_");
    await page.locator(".timeline .marker.release").waitFor();
    const choose = async (text: string, option: string) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: /trace ID/ }).fill(text);
      // Not the option that searches the logs for the text.
      await page
        .getByRole("option", { name: new RegExp(`^${option}`) })
        .first()
        .click();
    };
    await choose("pause", "Pause");
    await page.getByRole("button", { name: "Paused", exact: true }).waitFor();
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

  it("gets every key that is pressed after it was opened, also before the next frame", async (t) => {
    const { open } = await shared(t);
    const page = await open("/_/_");
    await untilHealthKnown(page);
    await delayFrames(page);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("visit");
    assert.equal(await page.getByRole("combobox", { name: /trace ID/ }).inputValue(), "visit");
    await page.keyboard.press("Escape");
    assert.equal(await page.evaluate("document.querySelector('dialog')"), null);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("log");
    assert.equal(await page.getByRole("combobox", { name: /trace ID/ }).inputValue(), "log");
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

describe("saved views", () => {
  const listDialog = (page: Page) => page.getByRole("dialog", { name: "Saved views" });
  const saveDialog = (page: Page) => page.getByRole("dialog", { name: "Save this view" });
  const choose = async (page: Page, text: string, option: RegExp | string) => {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: /trace ID/ }).fill(text);
    await page.getByRole("option", { name: option }).first().waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("combobox", { name: /trace ID/ }).waitFor({ state: "detached" });
  };
  const save = async (page: Page, name: string) => {
    await saveDialog(page).getByLabel("Name").fill(name);
    await saveDialog(page).getByRole("button", { name: "Save" }).click();
  };

  it("are saved, found after a reload, replaced, renamed and deleted", async (t) => {
    const { open, url } = await dashboard.start(t);
    const page = await open("/_/_/logs?range=6h&q=level%3Aerror", { expects: /409/ });
    await page.getByRole("button", { name: "Saved views" }).click();
    await listDialog(page).getByText("No saved views yet").waitFor();
    await listDialog(page).getByRole("button", { name: "Save this view…" }).click();
    const field = saveDialog(page).getByLabel("Name");
    assert.equal(await field.inputValue(), "Logs · level:error · last 6h");
    await saveDialog(page)
      .getByText("The time range stays relative: the view always shows the last 6h.")
      .waitFor();
    await save(page, "Nightly errors");
    await page.getByText("The view “Nightly errors” is saved.").waitFor();

    await page.goto("/_/_/requests");
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Requests" }).waitFor();
    await page.keyboard.press("v");
    const others = listDialog(page).getByRole("region", { name: "Other pages" });
    await others.getByRole("link", { name: "Nightly errors" }).click();
    await page.waitForURL(`${url}/_/_/logs?range=6h&q=level%3Aerror`);
    await page.getByRole("heading", { level: 1, name: "Logs" }).waitFor();
    await listDialog(page).waitFor({ state: "detached" });

    const from = Date.parse("2026-03-01T12:00:00Z");
    await page.goto(`/_/_/logs?tz=utc&from=${from}&to=${from + 3_600_000}`);
    await choose(page, "save this view", "Save this view…");
    await saveDialog(page).getByText("The time range stays fixed: 1 Mar, 12:00 – 1 Mar, 13:00.").waitFor();
    await save(page, "NIGHTLY errors");
    const question = page.getByRole("dialog", { name: "Replace “NIGHTLY errors”?" });
    await question.getByRole("button", { name: "Cancel" }).click();
    assert.equal(await field.inputValue(), "NIGHTLY errors");
    await saveDialog(page).getByRole("button", { name: "Save" }).click();
    await question.getByRole("button", { name: "Replace" }).click();
    await page.getByText("The view “NIGHTLY errors” is saved.").waitFor();

    await page.keyboard.press("v");
    const here = listDialog(page).getByRole("region", { name: "Logs" });
    await here.getByRole("link", { name: /NIGHTLY errors.*1 Mar, 12:00 – 1 Mar, 13:00.*open now/ }).waitFor();
    const rename = () => here.getByRole("button", { name: /^Rename/ });
    await delayFrames(page);
    await rename().click();
    await page.keyboard.type("Abandoned");
    await page.keyboard.press("Escape");
    await rename().click();
    await page.keyboard.type("Deploy <b>of March</b>");
    await page.keyboard.press("Enter");
    await here.getByRole("link", { name: "Deploy <b>of March</b>" }).waitFor();
    await page.waitForFunction("document.activeElement.getAttribute('aria-label')?.startsWith('Rename')");

    await page.keyboard.press("Escape");
    await page.goto("/_/_");
    await choose(page, "deploy march", /Deploy .*Saved view of Logs/);
    await page.waitForURL(`${url}/_/_/logs?tz=utc&from=${from}&to=${from + 3_600_000}`);

    // Another tab deletes it; this one sees that when the list is opened.
    await page.keyboard.press("v");
    await here.getByRole("link").waitFor();
    await page.keyboard.press("Escape");
    const tab = await page.context().newPage();
    await tab.goto("/_/_/logs");
    await tab.getByRole("button", { name: "Saved views" }).click();
    await listDialog(tab)
      .getByRole("button", { name: /^Delete/ })
      .click();
    await tab
      .getByRole("dialog", { name: /^Delete “Deploy/ })
      .getByRole("button", { name: "Delete" })
      .click();
    await listDialog(tab).getByText("No saved views yet").waitFor();
    const focused = () => tab.evaluate("document.activeElement.textContent");
    await until("the focus is in the empty list", focused, (name) => name === "Save this view…");
    await page.keyboard.press("v");
    await listDialog(page).getByText("No saved views yet").waitFor();
  });

  it("include an open drawer, and keep the name if the database cannot be written", async (t) => {
    const { app, open } = await dashboard.start(t);
    const { headers } = await app.inject({ url: "/about" });
    const trace = String(headers["x-trace-id"]);
    const page = await open(`/_/_/requests?trace=${trace}`, { expects: /503/ });
    await page.getByRole("dialog", { name: /about/ }).waitFor();
    await choose(page, "save this view", "Save this view…");
    const database = (await app.database()).tables();
    await sql`pragma query_only = on`.execute(database);
    await save(page, "One request");
    await saveDialog(page).getByRole("alert").getByText("The database is read-only.").waitFor();
    assert.equal(await saveDialog(page).getByLabel("Name").inputValue(), "One request");
    await sql`pragma query_only = off`.execute(database);
    await saveDialog(page).getByRole("button", { name: "Save" }).click();
    await page.getByText("The view “One request” is saved.").waitFor();
    await page.goto("/_/_");
    await page.keyboard.press("v");
    await listDialog(page).getByRole("link", { name: "One request" }).click();
    await page.getByRole("dialog", { name: /about/ }).waitFor();
  });

  it("are accessible at every width and in both themes", async (t) => {
    const { open } = await shared(t);
    const page = await open("/_/_", { viewport: phone });
    await page.keyboard.press("v");
    await listDialog(page).getByRole("button", { name: "Save this view…" }).click();
    await saveDialog(page).getByLabel("Name").waitFor();
    await checkLooks(page);
    await save(page, `A long one ${"unbroken".repeat(10)}`.slice(0, 80));
    await saveDialog(page).waitFor({ state: "detached" });
    await page.keyboard.press("v");
    const row = listDialog(page).getByRole("listitem").filter({ hasText: "A long one" });
    await row.getByRole("link").waitFor();
    await checkLooks(page);
    await row.getByRole("button", { name: /^Rename/ }).click();
    await listDialog(page).getByRole("textbox").fill(" ");
    await checkLooks(page);
    await page.keyboard.press("Escape");
    await row.getByRole("button", { name: /^Delete/ }).click();
    const question = page.getByRole("dialog", { name: /^Delete/ });
    await question.getByRole("button", { name: "Delete" }).click();
    await row.waitFor({ state: "detached" });
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

  it("follows a link and presses a button that move while the mouse button is down", async (t) => {
    const { open } = await shared(t);
    const page = await open("/_/_");
    await untilHealthKnown(page);
    await page.evaluate(`{
      const main = document.querySelector("main");
      document.addEventListener("pointerdown", () => {
        main.style.paddingTop = main.style.paddingTop === "" ? "150px" : "";
        main.getBoundingClientRect();
      });
    }`);
    await page.locator(".chart").first().getByText("Table").click();
    await page.getByRole("region", { name: "Requests per second, values" }).waitFor();
    const link = page.getByRole("list", { name: "Metrics" }).getByRole("link", { name: "Errors" });
    await link.click();
    await page.waitForURL(/requests\?/);
  });

  it("does not press a button if the mouse leaves it before the release", async (t) => {
    const { open } = await shared(t);
    const page = await open("/_/_");
    const button = page.locator(".chart").first().getByText("Table");
    await button.hover();
    await page.mouse.down();
    await page.locator("main h1").hover({ force: true });
    await page.mouse.up();
    await page.evaluate("new Promise(requestAnimationFrame)");
    assert.equal(await page.getByRole("region", { name: "Requests per second, values" }).count(), 0);
  });

  it("links each reason of the health status to its cause", async (t) => {
    const { app, open } = await dashboard.start(t);
    app.jobs.registerJob("bad", "Broken report", "", "0 0 1 1 *", () => {
      throw new Error("no disk");
    });
    const page = await open("/_/_");
    await app.jobs.run("bad");
    const health = page.getByRole("region", { name: "Health" });
    // A busy machine can have other reasons, and worse ones.
    await health.getByText(/^(Degraded|Failing)$/).waitFor();
    const reason = health.getByRole("listitem").filter({ hasText: "Broken report" });
    await reason.getByText(/^since \d\d:\d\d:\d\d \(/).waitFor();
    await reason.getByRole("link", { name: 'Job "Broken report" failed in its last run.' }).click();
    await page.getByRole("heading", { level: 1, name: "Broken report" }).waitFor();
    // A window in the past shows what was wrong in it.
    const now = Date.now();
    await page.goto(`/_/_?from=${now - 600_000}&to=${now}`);
    await health.getByRole("link", { name: 'Job "Broken report" failed.' }).waitFor();
  });

  it("counts the pages of the dashboard, but not the data that they load", async (t) => {
    const { app, open } = await dashboard.start(t);
    const page = await open("/_/_/requests");
    await app.inject({ url: "/about" });
    await page.locator(".requests").getByRole("link", { name: "/about" }).waitFor();
    const paths = await page.locator(".requests tbody a").allInnerTexts();
    assert.deepEqual(new Set(paths), new Set(["/about", "/_/sign-in", "/_/_/requests"]));
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
