/**
 * Makes the pictures in `docs/pictures` from the running example, after some minutes of traffic, so that they show
 * what there is:
 *
 *     npm run screenshots -- --seconds 180
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Browser, BrowserContext } from "playwright-core";
import { createTodosApp } from "../examples/todos/app.ts";
import { launchBrowser } from "../tests/support/browser.ts";
import { createRunFolder } from "../tests/support/run-folder.ts";
import { buildWeb } from "./build-web.ts";

const { values } = parseArgs({ options: { seconds: { type: "string", default: "180" } } });
const folder = join(import.meta.dirname, "../docs/pictures");
const account = { email: "ada@example.com", password: "correct horse battery staple" };

type StorageState = Awaited<ReturnType<BrowserContext["storageState"]>>;

interface Picture {
  readonly name: string;
  readonly path: string;
  /** Whether it looks back at the traffic instead of at now. */
  readonly looksBack?: boolean;
  readonly colorScheme?: "dark" | "light";
  readonly width?: number;
  /** Text or element that the page shows before the picture is taken. */
  readonly waitFor?: string;
}

const pictures: readonly Picture[] = [
  { name: "overview-dark", path: "/_/_", looksBack: true, waitFor: ".system-group" },
  { name: "overview-light", path: "/_/_", looksBack: true, colorScheme: "light", waitFor: ".system-group" },
  { name: "overview-phone", path: "/_/_", looksBack: true, width: 390, waitFor: ".system-group" },
  { name: "requests", path: "/_/_/requests" },
  { name: "errors", path: "/_/_/errors", looksBack: true },
  { name: "visitors", path: "/_/_/visitors" },
  { name: "cron", path: "/_/_/cron" },
  { name: "logs", path: "/_/_/logs" },
  { name: "access", path: "/_/_/access", waitFor: ".access-row" },
  { name: "api", path: "/_/_/api?op=GET%20%2Fapi%2Fv2%2Ftodos" },
  { name: "config", path: "/_/_/config" },
  { name: "docs", path: "/api/docs/v2/swagger?op=createTodo", waitFor: ".request-form" },
];

await buildWeb();
process.env.ANNEX_TEST_RUN_FOLDER ??= createRunFolder();
const dataDir = mkdtempSync(join(tmpdir(), "annex-pictures-"));
const app = createTodosApp({
  port: 0,
  dataDir,
  signals: false,
  instance: "web-1",
  log: { destination: `${dataDir}/log` },
});
const { url } = await app.start();
await app.superusers.create(account.email, account.password);
const browser = await launchBrowser();
/** From before the traffic, whose failed sign-ins would lock out a browser that the server does not know yet. */
const session = await signIn(browser);
const from = Date.now();
await useExample(Number(values.seconds));
/** The time in which something happened. */
const traffic = `from=${from}&to=${Date.now()}`;
mkdirSync(folder, { recursive: true });
for (const picture of pictures) await take(browser, picture);
await browser.close();
await app.stop();
rmSync(dataDir, { recursive: true, force: true });
process.exit();

/** People come and go, look at pages and call the API, some of it in vain. */
async function useExample(seconds: number): Promise<void> {
  const agents = [
    "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
  ];
  const referrers = ["https://search.example/", "https://news.example/story", ""];
  const person = await app.inject({ method: "POST", url: "/api/v1/people", body: { name: "Ada" } });
  const { key } = person.json<{ key: string }>();
  const end = Date.now() + seconds * 1_000;
  const pick = <T>(list: readonly T[]) => list[Math.floor(Math.random() * list.length)]!;
  await app.jobs.run("backup", { actor: account.email });
  while (Date.now() < end) {
    const wave = 1.3 + Math.sin(Date.now() / 15_000);
    const headers = { "user-agent": pick(agents), referer: pick(referrers) };
    const call = { ...headers, "x-api-key": key, authorization: `Bearer ${key}` };
    const visits = [
      look(pick(["/", "/", "/about"]), { ...headers, accept: "text/html", "sec-fetch-dest": "document" }),
      fetch(`${url}/api/v1/todos`, { headers: call }),
      fetch(`${url}/api/v2/todos`, { headers: call }),
      fetch(`${url}/api/v1/todos/${pick(["1", "2", "nobody"])}`, { headers: call }),
    ];
    if (Math.random() < 0.2) visits.push(fetch(`${url}/demo/slow`, { headers: call }));
    if (Math.random() < 0.05) visits.push(fetch(`${url}/demo/fail`, { method: "POST", headers: call }));
    if (Math.random() < 0.05) visits.push(tryToGetIn(pick(["ada@example.com", "root", "admin"])));
    if (Math.random() < 0.1) {
      const body = JSON.stringify({ title: pick(["Write to Grace", "Feed the cat", "Read the minutes"]) });
      const json = { ...call, "content-type": "application/json" };
      visits.push(fetch(`${url}/api/v1/todos`, { method: "POST", headers: json, body }));
    }
    await Promise.allSettled(visits.map(async (visit) => (await visit)?.arrayBuffer()));
    await delay(40 + 160 / wave);
  }
}

/** A program that guesses passwords, and then tries without one. */
async function tryToGetIn(identity: string): Promise<Response> {
  const headers = { "content-type": "application/json", "user-agent": "python-requests/2.32.3" };
  const body = JSON.stringify({ identity, password: "letmein123" });
  await fetch(`${url}/api/collections/_superusers/auth-with-password`, { method: "POST", headers, body });
  return fetch(`${url}/api/cron/jobs`, { headers });
}

/** Looks at a page as a browser does, which `fetch` cannot: it says of itself that it is no navigation. */
function look(path: string, headers: Record<string, string>): Promise<undefined> {
  return new Promise((resolve, reject) => {
    const request = get(url + path, { headers }, (response) =>
      response.resume().on("end", () => resolve(undefined)),
    );
    request.on("error", reject);
  });
}

async function take(browser: Browser, picture: Picture): Promise<void> {
  const { name, looksBack = false, colorScheme = "dark", width = 1440, waitFor } = picture;
  const path = looksBack ? `${picture.path}?${traffic}` : picture.path;
  const height = width < 500 ? 844 : 940;
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height },
    colorScheme,
    locale: "en-GB",
    storageState: session,
  });
  const page = await context.newPage();
  await page.goto(path);
  await page.waitForSelector("main h1");
  if (waitFor) await page.waitForSelector(waitFor);
  // Responses arrive and charts are drawn; nothing says when the last of them is.
  await delay(2_500);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await context.close();
  console.log(`docs/pictures/${name}.png`);
}

async function signIn(browser: Browser): Promise<StorageState> {
  const context = await browser.newContext({ baseURL: url });
  const page = await context.newPage();
  await page.goto("/_/_");
  await page.fill("[name=identity]", account.email);
  await page.fill("[name=password]", account.password);
  await page.click("main button");
  await page.waitForURL(`${url}/_/_`);
  const state = await context.storageState();
  await context.close();
  return state;
}
