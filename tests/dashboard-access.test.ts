import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it, type TestContext } from "node:test";
import type { Locator, Page } from "playwright-core";
import type { AccessRow } from "../src/features/access/events/merger.ts";
import { createStore } from "../src/features/access/store.ts";
import type { App } from "../src/index.ts";
import { createId } from "../src/lib/ids.ts";
import {
  account,
  checkAccessibility,
  checkLooks,
  checkWidth,
  desktop,
  phone,
  tablet,
  useDashboard,
} from "./support/dashboard.ts";

const dashboard = useDashboard();

const agents = {
  firefox: "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0",
  curl: "curl/8.5.0",
  python: "python-requests/2.32.3",
} as const;

const minute = 60_000;

/** A row of the table, some minutes ago. */
function row(minutesAgo: number, changes: Partial<AccessRow>): AccessRow {
  const firstAt = Date.now() - minutesAgo * minute;
  return {
    id: createId(),
    kind: "sign-in-failed",
    firstAt,
    lastAt: firstAt,
    account: "ada@example.com",
    actor: null,
    address: "203.0.113.7",
    agent: agents.python,
    traceId: "A1b2C3d4E5f6G7h8I9",
    detail: null,
    count: 1,
    isOverflow: false,
    ...changes,
  };
}

/** An attack on one account, and what its owner did meanwhile. */
const attack = (): AccessRow[] => [
  row(58, { kind: "sign-in", address: "198.51.100.20", agent: agents.firefox, detail: "with a password" }),
  row(50, { count: 5, lastAt: Date.now() - 49 * minute, detail: "wrong password" }),
  row(49, { kind: "lock-out", count: 124, lastAt: Date.now() - 45 * minute, detail: "too many failures" }),
  row(44, { account: "root", address: "203.0.113.99", count: 31, detail: "unknown account" }),
  row(30, {
    kind: "access-refused",
    account: null,
    agent: agents.curl,
    count: 9,
    detail: "GET /_/_/data/logs (401), GET /api/cron/jobs (401)",
  }),
  row(20, {
    kind: "password-changed",
    actor: "ada@example.com",
    address: "198.51.100.20",
    agent: agents.firefox,
  }),
  row(19, { kind: "session-revoked", actor: "ada@example.com", address: "198.51.100.20", count: 3 }),
  row(12, {
    kind: "superuser-added",
    account: "eve@example.com",
    actor: "ada@example.com",
    address: "198.51.100.20",
  }),
  row(5, { kind: "sign-out", address: "198.51.100.20", agent: agents.firefox }),
];

const options = { instance: "web-1", trustedProxies: ["127.0.0.1"] };

/** The attack, for tests that add nothing but their own sign-in. */
const attacked = dashboard.share(options, { fill: (app) => write(app, attack()) });

async function startSite(t: TestContext, rows: readonly AccessRow[] = attack()) {
  const site = await dashboard.start(t, options);
  if (rows.length > 0) await write(site.app, rows);
  return site;
}

async function write(app: App, rows: readonly AccessRow[], instance = "web-1"): Promise<void> {
  await createStore(() => app.database(), instance).write(rows);
}

const panel = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const rowsOf = (page: Page) => page.locator(".access-row");
const chip = (page: Page, name: string | RegExp) =>
  page.getByRole("group", { name: "Kinds" }).getByRole("button", { name });
const query = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

const knock = (app: App, address = "203.0.113.50") =>
  app.inject({ url: "/_/_/data/logs", headers: { "user-agent": agents.curl, "x-forwarded-for": address } });

/** A sign-in through the API with a wrong password. */
const guess = (app: App, identity: string) =>
  app.inject({
    method: "POST",
    url: "/api/collections/_superusers/auth-with-password",
    headers: { "x-forwarded-for": "203.0.113.66", "user-agent": agents.python },
    body: { identity, password: "a wrong password" },
  });

async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 120; presses++) {
    await page.keyboard.press("Tab");
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
  }
  assert.fail("It cannot be reached with the keyboard.");
}

/** The page in the last hour, without the sign-in of the test's own browser. */
const lastHour = "/_/_/access?range=1h&q=example.com";

describe("the Access page", () => {
  it("lists what happened, to whom, from where and with what, the newest first", async (t) => {
    const { open } = await attacked(t);
    const page = await open("/_/_/access?range=1h&kind=sign-in-failed,lock-out,access-refused");
    await rowsOf(page).nth(3).waitFor();
    const texts = await rowsOf(page).allInnerTexts();
    const words = texts.map((text) => text.replaceAll(/\s+/g, " ").trim());
    assert.match(
      words[0]!,
      /^Access refused ×9 .*GET \/_\/_\/data\/logs \(401\).* anonymous 203\.0\.113\.7 curl 8\.5\.0/,
    );
    assert.match(
      words[1]!,
      /^Sign-in failed ×31 .*unknown account root 203\.0\.113\.99 python-requests 2\.32\.3/,
    );
    assert.match(words[2]!, /^Locked out ×124 .*ada@example\.com 203\.0\.113\.7 .*until \d\d:\d\d:\d\d$/);
    assert.match(words[3]!, /^Sign-in failed ×5 /);
    assert.equal(words.length, 4);
  });

  it("shows real sign-ins, failed attempts and lock-outs", async (t) => {
    const { app, url, open } = await startSite(t, []);
    const page = await open("/_/_/access", { signedIn: false });
    await page.getByLabel("Email").fill(account.email);
    await page.getByLabel("Password").fill(account.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(`${url}/_/_/access`);
    for (let attempts = 0; attempts < 6; attempts++) await guess(app, "Mallory@example.com");
    const failed = rowsOf(page).filter({ hasText: "Sign-in failed" });
    await failed.getByText("×5").waitFor();
    await failed.getByRole("button", { name: "mallory@example.com" }).waitFor();
    await failed.getByRole("button", { name: "203.0.113.66" }).waitFor();
    await rowsOf(page).filter({ hasText: "Locked out" }).getByText("failed sign-ins").waitFor();
    const signedIn = rowsOf(page).filter({ hasText: "Signed in" }).filter({ hasText: "Headless Chrome" });
    await signedIn.getByRole("button", { name: account.email }).waitFor();
  });

  it("sums up failures over time and ranks addresses and accounts", async (t) => {
    const { open } = await attacked(t);
    const page = await open("/_/_/access?range=1h");
    await panel(page, "Failures over time").getByText("169 events in this window").waitFor();
    await page.locator("figure.chart .uplot").waitFor();
    const legend = await page.locator("figure.chart .legend li").allInnerTexts();
    assert.deepEqual(
      legend.map((text) => text.replace(/\s+/g, " ")),
      ["Sign-in failed 36", "Locked out 124", "Access refused 9"],
    );
    const ranked = (title: string) => panel(page, title).locator("tbody tr").allInnerTexts();
    const [first, second] = await ranked("Top addresses");
    assert.match(first!, /^203\.0\.113\.7\s+138\s+138$/);
    assert.match(second!, /^203\.0\.113\.99\s+31\s+31$/);
    assert.match((await ranked("Top accounts"))[0]!, /^ada@example\.com\s+129\s+1[34]\d$/);
    await chip(page, "Locked out 124").waitFor();
  });

  it("shortens a long list of routes to two lines, and shows all of it in a tooltip", async (t) => {
    const routes = ["logs", "visitors", "metrics", "requests", "errors"];
    const detail = `${routes.map((name) => `GET /_/_/data/${name} (401)`).join(", ")} and others`;
    const { open } = await startSite(t, [row(5, { kind: "access-refused", account: null, detail })]);
    const page = await open("/_/_/access?range=1h&kind=access-refused", { viewport: tablet });
    const shown = page.getByTitle(detail);
    assert.equal(await shown.innerText(), detail);
    const lines = await shown.evaluate((element) => {
      const { lineHeight } = element.ownerDocument.defaultView!.getComputedStyle(element);
      return Math.round(element.clientHeight / Number.parseFloat(lineHeight));
    });
    assert.equal(lines, 2);
    await page.setViewportSize(phone);
    assert.ok(await shown.evaluate((element) => element.scrollHeight <= element.clientHeight + 1));
  });

  it("filters by kind, and keeps that in the address", async (t) => {
    const { open } = await attacked(t);
    const page = await open(lastHour);
    await chip(page, /^Locked out/).click();
    await rowsOf(page).nth(1).waitFor({ state: "detached" });
    assert.equal(query(page).kind, "lock-out");
    await chip(page, /^Password changed/).click();
    await rowsOf(page).nth(1).waitFor();
    assert.equal(query(page).kind, "lock-out,password-changed");
    await panel(page, "Over time").getByText("125 events in this window").waitFor();
    await page.reload();
    await chip(page, /^Locked out/)
      .and(page.locator('[aria-pressed="true"]'))
      .click();
    await chip(page, /^Password changed/).click();
    await panel(page, "Failures over time").waitFor();
    assert.equal(query(page).kind, undefined);
  });

  it("filters by the address or account that is clicked, and stops when its chip is clicked", async (t) => {
    const { open } = await attacked(t);
    const page = await open("/_/_/access?range=1h");
    await panel(page, "Top addresses").getByRole("button", { name: "203.0.113.99" }).click();
    await rowsOf(page).nth(1).waitFor({ state: "detached" });
    await rowsOf(page).getByRole("button", { name: "root" }).click();
    assert.deepEqual(query(page), { range: "1h", address: "203.0.113.99", account: "root" });
    const chips = page.getByRole("region", { name: "Filters" });
    await chips.getByRole("button", { name: "Address 203.0.113.99" }).click();
    await chips.getByRole("button", { name: "Account root" }).click();
    await chips.waitFor({ state: "detached" });
    await rowsOf(page).nth(8).waitFor();
    assert.deepEqual(query(page), { range: "1h" });
  });

  it("searches, says that nothing matches, and shows everything again", async (t) => {
    const { open } = await attacked(t);
    const page = await open("/_/_/access?range=1h");
    await rowsOf(page).nth(8).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("unknown ACC");
    await page.waitForURL(/q=unknown\+ACC/);
    await rowsOf(page).nth(1).waitFor({ state: "detached" });
    await page.getByLabel("Search the access log").fill("no such thing");
    await page.getByText("No event in this window matches").waitFor();
    await page.getByRole("button", { name: "Show all in this window" }).click();
    await rowsOf(page).nth(8).waitFor();
  });

  it("explains what would be listed where there is nothing", async (t) => {
    const { open } = await startSite(t, []);
    const from = Date.parse("2026-01-01T00:00:00Z");
    const page = await open(`/_/_/access?from=${from}&to=${from + 3_600_000}`);
    await page.getByText("No access events in this window").waitFor();
    await page.getByText("Events are stored for 90 days.").waitFor();
    await checkAccessibility(page);
    await page.getByRole("button", { name: "Last 7 days" }).click();
    assert.equal(query(page).range, "7d");
  });

  it("shows a refused request as it happens, counts those like it, and leads to its trace", async (t) => {
    const { app, open } = await startSite(t);
    const page = await open("/_/_/access?range=1h&kind=access-refused");
    await rowsOf(page).nth(0).waitFor();
    const { headers } = await knock(app);
    const refused = rowsOf(page).filter({ hasText: "203.0.113.50" });
    await refused.getByText("GET /_/_/data/logs (401)").waitFor();
    for (const _ of ["second", "third"]) await knock(app);
    await refused.getByText("×3").waitFor();
    const trace = String(headers["x-trace-id"]);
    await refused.getByRole("link", { name: `Trace ${trace}` }).click();
    const drawer = page.getByRole("dialog", { name: `Trace ${trace}` });
    await drawer.getByText("Access refused").waitFor();
    await checkAccessibility(page);
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
    assert.deepEqual(query(page), { range: "1h", kind: "access-refused" });
  });

  it("gives the events as files, as they are filtered", async (t) => {
    const { open } = await attacked(t);
    const page = await open("/_/_/access?range=1h&account=root");
    await rowsOf(page).nth(0).waitFor();
    const read = async (name: string) => {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name, exact: true }).click(),
      ]);
      return { file: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
    };
    const csv = await read("CSV");
    assert.match(csv.file, /^annex-access-.*\.csv$/);
    assert.match(csv.text, /^time,.*\r\n[^\r]*sign-in-failed,root,,203\.0\.113\.99,[^\r]*,31\r\n$/);
    const ndjson = await read("NDJSON");
    assert.equal((JSON.parse(ndjson.text) as { count: number }).count, 31);
  });

  it("goes back as far as one asks", async (t) => {
    const many = Array.from({ length: 120 }, (_, index) => row(index / 4, { account: `user-${index}` }));
    const { open } = await startSite(t, many);
    const page = await open("/_/_/access?range=1h&q=user-");
    await rowsOf(page).nth(49).waitFor();
    assert.equal(await rowsOf(page).count(), 50);
    await page.getByRole("button", { name: "Show earlier events" }).click();
    await rowsOf(page).nth(99).waitFor();
    await page.getByRole("button", { name: "Show earlier events" }).click();
    await page.getByText("These are all events in this window.").waitFor();
    const names = await rowsOf(page).locator('[data-label="Account"]').allInnerTexts();
    assert.deepEqual(
      names,
      Array.from({ length: 120 }, (_, index) => `user-${index}`),
    );
  });

  it("says what was only counted, and which instance it was", async (t) => {
    const { app, open } = await startSite(t);
    const overflow = { isOverflow: true, account: null, address: null, agent: null, traceId: null };
    await write(app, [row(3, { ...overflow, count: 99_500, detail: "Only counted: too many" })], "web-2");
    const page = await open("/_/_/access?range=1h");
    await page.getByText("99.5K events are counted but not listed").waitFor();
    await rowsOf(page).filter({ hasText: "web-2" }).getByText("×99,500").waitFor();
    await page.goto("/_/_/access?range=1h&instance=web-2");
    await rowsOf(page).nth(0).waitFor();
    assert.equal(await rowsOf(page).count(), 1);
  });

  it("shows what a client sent as text, whatever it is", async (t) => {
    const hostile = `<img src=x onerror="document.title='broken'">${"x".repeat(200)}`;
    const { open } = await startSite(t, [row(2, { account: hostile, agent: hostile, detail: hostile })]);
    const page = await open("/_/_/access?range=1h&kind=sign-in-failed", { viewport: phone });
    await rowsOf(page).getByRole("button", { name: hostile }).click();
    await page.getByRole("region", { name: "Filters" }).getByText(hostile).waitFor();
    assert.equal(await page.title(), "Access · Annex");
    await checkWidth(page);
  });

  it("says what went wrong, and tries again", async (t) => {
    const { open } = await attacked(t);
    const page = await open("/_/_", { expects: /500/ });
    const body = JSON.stringify({ status: 500, message: "The database is away.", data: {}, trace_id: "x" });
    let isAway = true;
    await page.route(/\/_\/_\/data\/access/, (route) =>
      isAway ? route.fulfill({ status: 500, contentType: "application/json", body }) : route.continue(),
    );
    await page.goto("/_/_/access?range=1h");
    await page.getByRole("alert").getByText("The database is away.").waitFor();
    // The page also tries again by itself. If the database returned before the click, the button could be gone.
    await page.exposeFunction("recover", () => {
      isAway = false;
    });
    await page.evaluate("addEventListener('click', recover, true)");
    await page.getByRole("button", { name: "Try again" }).click();
    await rowsOf(page).nth(8).waitFor();
  });

  it("works with the keyboard alone", async (t) => {
    const { open } = await attacked(t);
    const page = await open("/_/_?range=1h");
    await page.keyboard.press("g");
    await page.keyboard.press("k");
    await page.getByRole("heading", { level: 1, name: "Access" }).waitFor();
    await chip(page, /^Locked out/).waitFor();
    await tabTo(page, chip(page, /^Locked out/));
    await page.keyboard.press("Space");
    await rowsOf(page).nth(1).waitFor({ state: "detached" });
    await tabTo(page, rowsOf(page).getByRole("link", { name: /^Trace / }));
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: /^Trace / }).waitFor();
  });

  it("is accessible at every width and in both themes", async (t) => {
    const { open } = await attacked(t);
    const viewports = [phone, tablet, desktop];
    const page = await open(`${lastHour}&address=203.0.113.7`, { viewport: phone, colorScheme: "light" });
    await rowsOf(page).nth(0).waitFor();
    await page.locator(".uplot").waitFor();
    await checkLooks(page, viewports);
    await page.goto("/_/_/access?q=no+such+thing");
    await page.getByText("No event in this window matches").waitFor();
    await checkLooks(page, viewports);
  });
});
