import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it, type TestContext } from "node:test";
import type { Locator, Page } from "playwright-core";
import type { App, AppOptions } from "../src/index.ts";
import { until } from "../src/lib/testing/until.ts";
import {
  account,
  checkAccessibility,
  checkLooks,
  checkWidth,
  phone,
  useDashboard,
} from "./support/dashboard.ts";

const dashboard = useDashboard();

const agents = {
  firefox: "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0",
  chrome:
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36",
  google: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  gpt: "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)",
} as const;

interface View {
  readonly url: string;
  readonly ip: string;
  readonly agent: keyof typeof agents;
  readonly referer?: string;
}

/** Two people with Firefox, one with Chrome who came from elsewhere, and two programs. */
const usualViews: readonly View[] = [
  { url: "/", ip: "203.0.113.1", agent: "firefox" },
  { url: "/about", ip: "203.0.113.1", agent: "firefox" },
  { url: "/", ip: "203.0.113.2", agent: "firefox" },
  { url: "/about", ip: "203.0.113.3", agent: "chrome", referer: "https://www.news.example/today" },
  { url: "/", ip: "203.0.113.4", agent: "google" },
  { url: "/", ip: "203.0.113.5", agent: "gpt" },
  { url: "/about", ip: "203.0.113.5", agent: "gpt" },
];

async function look(app: App, { url, ip, agent, referer }: View): Promise<void> {
  const headers = {
    accept: "text/html",
    "sec-fetch-dest": "document",
    "user-agent": agents[agent],
    "x-forwarded-for": ip,
    ...(referer !== undefined && { referer }),
  };
  assert.equal((await app.inject({ url, headers })).status, 200);
}

/** Views are passed on once a second. */
async function untilCounted(app: App, views: number): Promise<void> {
  const { email: identity, password } = account;
  const url = "/api/collections/_superusers/auth-with-password";
  const login = await app.inject({ method: "POST", url, body: { identity, password } });
  const headers = { authorization: `Bearer ${login.json<{ token: string }>().token}` };
  const counted = async () => {
    const response = await app.inject({ url: "/_/_/data/visitors", headers });
    const { kinds } = response.json<{ kinds: { views: number }[] }>();
    return kinds.reduce((sum, kind) => sum + kind.views, 0);
  };
  await until(`${views} views are counted`, counted, (count) => count === views);
}

async function startSite(t: TestContext, views: readonly View[], options: AppOptions = {}) {
  const site = await dashboard.start(t, { trustedProxies: ["127.0.0.1"], ...options });
  await visit(site.app, views);
  return site;
}

async function visit(app: App, views: readonly View[]): Promise<void> {
  for (const view of views) await look(app, view);
  if (views.length > 0) await untilCounted(app, views.length);
}

const usualSite = dashboard.share(
  { trustedProxies: ["127.0.0.1"] },
  { fill: (app) => visit(app, usualViews) },
);

const panel = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const tile = (page: Page, label: string) =>
  page.locator(".visit-tile", { has: page.getByText(label, { exact: true }) });
const names = (page: Page, list: string) => panel(page, list).locator(".rank-name").allTextContents();
const query = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

/** Changes what the server returns on its way to the page. */
async function alterResponse(page: Page, change: (response: Record<string, unknown>) => void): Promise<void> {
  await page.route(/\/_\/_\/data\/visitors\?/, async (route) => {
    const response = await route.fetch();
    const json = (await response.json()) as Record<string, unknown>;
    change(json);
    await route.fulfill({ response, json });
  });
}

async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 120; presses++) {
    await page.keyboard.press("Tab");
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
  }
  assert.fail("It cannot be reached with the keyboard.");
}

describe("the page about visitors", () => {
  it("shows visitors, pages, referrers and clients", async (t) => {
    const { open } = await usualSite(t);
    const page = await open("/_/_/visitors?range=24h");
    await tile(page, "Views").getByText("4", { exact: true }).waitFor();
    assert.match(
      (await tile(page, "Daily visitors (sum)").textContent())!,
      /^Daily visitors \(sum\)3 no earlier data/,
    );
    assert.match((await tile(page, "Sessions").textContent())!, /^Sessions3 no earlier data/);
    assert.match((await tile(page, "Bounce rate").textContent())!, /67 %.*2 of 3 left after one view/);
    assert.match((await tile(page, "New and returning").textContent())!, /3 new.*0 returning/);
    await page.getByText("a person who comes on three days counts three times").waitFor();
    await page.getByText("3 here now").waitFor();
    assert.deepEqual(await names(page, "Pages"), ["/", "/about"]);
    assert.deepEqual(await names(page, "Entry pages"), ["/", "/about"]);
    assert.deepEqual(await names(page, "Referrers"), ["(direct)", "news.example"]);
    assert.deepEqual(await names(page, "Browsers"), ["Firefox", "Chrome"]);
    assert.deepEqual(await names(page, "Operating systems"), ["Linux", "Windows"]);
    assert.deepEqual(await names(page, "Devices"), ["desktop"]);
    await page.locator("figure.chart .uplot").waitFor();
  });

  it("filters by what is clicked, keeps that in the address, and takes it away again", async (t) => {
    const { open } = await usualSite(t);
    const page = await open("/_/_/visitors?range=24h");
    await panel(page, "Browsers").getByRole("button", { name: "Firefox" }).click();
    await tile(page, "Views").getByText("3", { exact: true }).waitFor();
    assert.deepEqual(query(page), { range: "24h", browser: "Firefox" });
    await panel(page, "Pages").getByRole("button", { name: "/about" }).click();
    await page.getByText("For a single page, only views are known").waitFor();
    await tile(page, "Views").getByText("1", { exact: true }).waitFor();
    assert.equal(await page.locator(".visit-tile").count(), 1);

    await page.reload();
    const chips = page.getByRole("region", { name: "Filters" });
    await chips.getByRole("button", { name: "Browser Firefox" }).click();
    await tile(page, "Views").getByText("2", { exact: true }).waitFor();
    assert.deepEqual(query(page), { range: "24h", page: "/about" });
    await panel(page, "Pages").getByRole("button", { name: "/about", pressed: true }).click();
    await tile(page, "Views").getByText("4", { exact: true }).waitFor();
    assert.deepEqual(query(page), { range: "24h" });
    assert.equal(await chips.count(), 0);
  });

  it("says that nothing matches, and clears all filters at once", async (t) => {
    const { open } = await usualSite(t);
    const page = await open("/_/_/visitors?range=24h&browser=Safari&page=%2Fgone");
    await page.getByText("Nothing matches these filters").waitFor();
    await page.getByRole("button", { name: "Clear the filters" }).click();
    await tile(page, "Views").waitFor();
    assert.deepEqual(query(page), { range: "24h" });
  });

  it("keeps people, bots and crawlers apart", async (t) => {
    const { open } = await usualSite(t);
    const page = await open("/_/_/visitors?range=24h&browser=Firefox");
    const who = page.getByRole("toolbar", { name: "Who" });
    await who.getByRole("button", { name: "Humans 4 views", pressed: true }).waitFor();
    await who.getByRole("button", { name: "AI crawlers 2 views" }).click();
    await tile(page, "Views").getByText("2", { exact: true }).waitFor();
    assert.deepEqual(query(page), { range: "24h", kind: "ai" });
    assert.deepEqual(await names(page, "Programs"), ["GPTBot"]);
    await page.getByText("1 here now").waitFor();
    await who.getByRole("button", { name: "Bots 1 view" }).click();
    await tile(page, "Views").getByText("1", { exact: true }).waitFor();
    await page.goBack();
    await who.getByRole("button", { name: "AI crawlers", pressed: true }).waitFor();
  });

  it("gives each list as a file, as it is filtered", async (t) => {
    const { open } = await usualSite(t);
    const page = await open("/_/_/visitors?range=24h&browser=Chrome");
    const read = async (name: string) => {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: `Download ${name} as CSV` }).click(),
      ]);
      return { file: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
    };
    assert.deepEqual(await read("pages"), { file: "visitors-pages.csv", text: "name,views\r\n/about,1\r\n" });
    assert.deepEqual(await read("referrers"), {
      file: "visitors-referrers.csv",
      text: "name,visitor_days,views\r\nnews.example,1,1\r\n",
    });
    assert.match((await read("the days")).text, /^day,visitors,views\r\n[\s\S]*,1,1\r\n$/);
  });

  it("puts the period before beside this one", async (t) => {
    const { open } = await usualSite(t);
    const page = await open("/_/_/visitors?range=24h");
    await tile(page, "Views").waitFor();
    assert.equal(await page.getByText("Views in the previous period").count(), 0);
    await page.getByRole("button", { name: "Compare" }).click();
    await tile(page, "Views").getByText("0 before", { exact: true }).waitFor();
    await page.locator(".legend").getByText("Views in the previous period").waitFor();
    assert.equal(query(page).compare, "1");
    await page.getByRole("button", { name: "Compare", pressed: true }).click();
    await page.getByText("Views in the previous period").waitFor({ state: "detached" });
  });

  it("says which hours were counted, and leads to a window that makes sense", async (t) => {
    const { open } = await usualSite(t);
    const page = await open("/_/_/visitors?tz=utc&range=15m");
    const told = (await page.locator(".visit-window").textContent())!;
    assert.match(told, /whole hours: \d+ \w+, \d\d:00 – \d\d:00/);
    await page.getByText("too short for a chart").waitFor();
    await page.getByRole("button", { name: "Show 24 hours" }).click();
    await page.locator("figure.chart .uplot").waitFor();
    assert.deepEqual(query(page), { tz: "utc" }, "a day is what this page shows by default");
  });

  it("explains what a view is where there is none, and says who did look", async (t) => {
    const { open } = await startSite(t, [{ url: "/", ip: "203.0.113.4", agent: "google" }]);
    const page = await open("/_/_/visitors?range=24h");
    await page.getByText("No page views in this window").waitFor();
    await page.getByText("an application that serves only an API has no views").waitFor();
    await page.getByRole("button", { name: "Bots: 1 view" }).click();
    await tile(page, "Views").waitFor();
  });

  it("says that nothing is counted, and where that can be changed", async (t) => {
    const { open } = await startSite(t, [], { visitors: { enabled: false } });
    const page = await open("/_/_/visitors");
    await page.getByText("Page views are not being counted").waitFor();
    await checkAccessibility(page);
    await page.getByRole("link", { name: "Open the configuration" }).click();
    await page.waitForURL(/\/_\/_\/config/);
  });

  it("explains how privacy is protected", async (t) => {
    const { open } = await startSite(t, []);
    const page = await open("/_/_/visitors");
    const more = page.getByText("The key is random, new for each day");
    assert.equal(await more.isVisible(), false);
    await page.getByText("Visitors are counted with a daily-rotating salted hash").click();
    await more.waitFor();
  });

  it("says what was left out, and nothing where nothing was", async (t) => {
    const { open } = await usualSite(t);
    const page = await open("/_/_/visitors?range=24h");
    await tile(page, "Views").waitFor();
    assert.equal(await page.getByText("Some metrics are incomplete").count(), 0);
    await alterResponse(page, (response) => Object.assign(response.limits as object, { other_pages: 1234 }));
    await page.reload();
    await page.getByText("1,234 views are counted under the page (other)").waitFor();
  });

  it("shows all input as text, and truncates long values", async (t) => {
    const { open } = await usualSite(t);
    const page = await open("/_/_/visitors?range=24h", { viewport: phone });
    const hostile = `/<img src=x onerror="document.title='broken'">${"x".repeat(150)}`;
    await alterResponse(page, (response) =>
      Object.assign(response, { pages: [{ name: hostile, views: 4 }] }),
    );
    await page.reload();
    const row = panel(page, "Pages").getByRole("button", { name: hostile });
    await row.click();
    await page.getByRole("region", { name: "Filters" }).getByText(hostile).waitFor();
    assert.equal(query(page).page, hostile);
    assert.equal(await page.title(), "Visitors · Annex");
    await checkWidth(page);
  });

  it("shows the first of a long list, and all of it when asked", async (t) => {
    const { open } = await usualSite(t);
    const page = await open("/_/_/visitors?range=24h");
    const pages = Array.from({ length: 20 }, (_, index) => ({ name: `/${index}`, views: 20 - index }));
    await alterResponse(page, (response) => Object.assign(response, { pages }));
    await page.reload();
    await panel(page, "Pages").getByRole("button", { name: "Show all 20" }).click();
    assert.equal((await names(page, "Pages")).length, 20);
    await panel(page, "Pages").getByRole("button", { name: "Show fewer" }).click();
    assert.equal((await names(page, "Pages")).length, 8);
  });

  it("works with the keyboard alone", async (t) => {
    const { open } = await usualSite(t);
    const page = await open("/_/_/visitors?range=24h");
    const name = panel(page, "Pages").getByRole("button", { name: "/about" });
    await name.waitFor();
    await tabTo(page, name);
    await page.keyboard.press("Enter");
    const chip = page.getByRole("button", { name: "Page /about" });
    await chip.waitFor();
    await page.locator("main").focus();
    await tabTo(page, chip);
    await page.keyboard.press("Space");
    await tile(page, "Sessions").waitFor();
    assert.deepEqual(query(page), { range: "24h" });
  });

  it("is accessible at every width and in both themes", async (t) => {
    const { open } = await usualSite(t);
    const page = await open("/_/_/visitors?range=24h&compare=1&device=desktop", { viewport: phone });
    await panel(page, "Pages").locator(".rank-name").first().waitFor();
    await page.locator(".uplot").waitFor();
    await page.locator(".visit-privacy summary").click();
    await checkLooks(page);
    await page.goto("/_/_/visitors?page=%2Fgone");
    await page.getByText("Nothing matches these filters").waitFor();
    await checkLooks(page);
  });
});
