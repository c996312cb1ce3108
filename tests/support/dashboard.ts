/**
 * The dashboard in a real browser, against the example application.
 *
 *     const dashboard = useDashboard();
 *     it("shows requests", async (t) => {
 *       const { open } = await dashboard.start(t);
 *       const page = await open("/_/_/requests");
 *
 * A page that complains in the console, breaks its content security policy or asks another origin for anything fails
 * the test that opened it.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { after, before, type TestContext } from "node:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { createTodosApp } from "../../examples/todos/app.ts";
import { buildWeb } from "../../scripts/build-web.ts";
import type { RouteTable } from "../../src/features/metrics/wire.ts";
import type { App, AppOptions } from "../../src/index.ts";
import { until } from "../../src/lib/testing/until.ts";
import { messageOf } from "../../src/lib/thrown.ts";
import { desktop } from "./accessibility.ts";
import { launchBrowser, openWindow } from "./browser.ts";
import { createFolder } from "./program.ts";

export {
  checkAccessibility,
  checkLooks,
  checkWidth,
  checkWidths,
  desktop,
  phone,
  tablet,
} from "./accessibility.ts";

export interface OpenOptions {
  /** Default: the desktop. */
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: "dark" | "light";
  /** Complaints of the console that the test provokes on purpose, such as a refused request. */
  readonly expects?: RegExp;
  /** Default: true. */
  readonly signedIn?: boolean;
}

export interface Dashboard {
  readonly app: App;
  readonly url: string;
  readonly dataDir: string;
  /** Opens an address of the dashboard in a window of its own, signed in. */
  open(path: string, options?: OpenOptions): Promise<Page>;
}

const email = "ada@example.com";
const password = "correct horse battery staple";
export const account = { email, password } as const;

type Prepare = (app: App) => void | Promise<void>;

/** Call it once in a test file; all tests share one browser. */
export function useDashboard() {
  let browser: Browser;
  before(async () => {
    await buildWeb();
    browser = await launchBrowser();
  });
  after(() => browser.close());
  return {
    /** With `prepare` a test adds routes of its own, or pauses jobs before they can run. */
    async start(t: TestContext, options: AppOptions = {}, prepare: Prepare = () => {}): Promise<Dashboard> {
      const started = await startApp(t, options, prepare);
      const { open, close } = watchWindows(browser, started);
      t.after(async () => {
        const complaints = await close(t);
        await started.app.stop();
        report(complaints, started);
      });
      return { ...started, open };
    },

    /** One application for the tests of a file that leave it as it is. `fill` is called once, when it has started. */
    share(
      options: AppOptions = {},
      { prepare = () => {}, fill = () => {} }: { prepare?: Prepare; fill?: Prepare } = {},
    ): (t: TestContext) => Promise<Dashboard> {
      let starting: Promise<StartedApp> | undefined;
      let filling: Promise<void> | undefined;
      after(async () => (await starting)?.app.stop());
      return async (t) => {
        starting ??= startApp(t, options, prepare);
        const started = await starting;
        filling ??= Promise.resolve(fill(started.app));
        await filling;
        return watch(t, started);
      };
    },

    /** The dashboard of an application that the test starts and stops itself. Call `createAccount` before. */
    watch,
  };

  function watch(t: TestContext, started: StartedApp): Dashboard {
    const { open, close } = watchWindows(browser, started);
    t.after(async () => report(await close(t), started));
    return { ...started, open };
  }
}

/** An application that listens, with its log in the file `log` of its folder. */
export type StartedApp = Omit<Dashboard, "open"> & { readonly basePath?: string };

async function startApp(
  t: TestContext,
  options: AppOptions,
  prepare: Prepare = () => {},
): Promise<StartedApp> {
  const { dataDir = createFolder(t) } = options;
  const log = { destination: `${dataDir}/log` };
  // A slow machine blocks the event loop now and then, and every stall would be a record on the page of the logs.
  const metrics = { stallMs: 0, ...options.metrics };
  // In development the source would be analysed with each start, which only the page about the API needs.
  const app = createTodosApp({ port: 0, signals: false, dev: false, log, ...options, dataDir, metrics });
  await prepare(app);
  try {
    const { url } = await app.start();
    await createAccount(app);
    return { app, url, dataDir, basePath: options.basePath ?? "" };
  } catch (error) {
    await app.stop();
    throw error;
  }
}

/** Creates the superuser that signs in. */
export async function createAccount(app: App): Promise<void> {
  if ((await app.superusers.list()).length === 0) await app.superusers.create(email, password);
}

function watchWindows(browser: Browser, { app, url, basePath = "" }: StartedApp) {
  const windows: Window[] = [];
  return {
    async open(path: string, choice?: OpenOptions): Promise<Page> {
      const window = await openWatched(browser, url, choice);
      windows.push(window);
      if (choice?.signedIn !== false)
        await window.context.addCookies([{ ...(await signIn(app, url, basePath)), url }]);
      return openPage(window.context, path);
    },

    /** Before the server stops: a page that is still open would complain that it is gone. Gives all complaints. */
    async close(t: TestContext): Promise<string[]> {
      for (const { context } of windows) {
        if (!hasPassed(t)) for (const page of context.pages()) await showPage(t, page);
        // A page may be polling while a test changes its responses; what such a handler does from here on is not a result.
        for (const page of context.pages()) await page.unrouteAll({ behavior: "ignoreErrors" });
        await context.close();
      }
      return windows.flatMap((window) => window.complaints);
    },
  };
}

/** The types of Node 24 do not have `passed` yet. */
const hasPassed = (t: TestContext) => (t as TestContext & { readonly passed: boolean }).passed;

/** Shows what a test that failed had in front of it. */
async function showPage(t: TestContext, page: Page): Promise<void> {
  const text = await page.innerText("body", { timeout: 10_000 }).catch(messageOf);
  t.diagnostic(`${page.url()}\n${text.slice(0, 10_000)}`);
}

function report(complaints: readonly string[], { dataDir }: StartedApp): void {
  if (complaints.length > 0) assert.fail(`${complaints.join("\n")}\n${readWarnings(dataDir)}`);
}

/** Waits until the overview shows a health status. It is not always "Healthy": a busy machine delays the event loop. */
export async function untilHealthKnown(page: Page): Promise<void> {
  await page
    .getByRole("region", { name: "Health" })
    .getByText(/^(Healthy|Degraded|Failing)$/)
    .waitFor();
}

/** Waits until the history has the requests of a route. Requests are counted once a second. */
export async function untilCounted(app: App, route: string, count: number): Promise<void> {
  const url = "/api/collections/_superusers/auth-with-password";
  const login = await app.inject({ method: "POST", url, body: { identity: email, password } });
  const headers = { authorization: `Bearer ${login.json<{ token: string }>().token}` };
  await until(
    `${count} requests of ${route} are counted`,
    async () => (await app.inject({ url: "/_/_/data/routes", headers })).json<RouteTable>(),
    ({ routes }) => (routes.find((each) => each.route === route)?.count ?? 0) >= count,
  );
}

/** Goes to a page with G and its letter. Both are sent together: the dashboard does not wait long for the second. */
export async function goByKeys(page: Page, letter: string): Promise<void> {
  await Promise.all(["g", letter].map((key) => page.keyboard.press(key)));
}

/** What waits for the next frame waits a second, as on a machine that is too busy to draw. */
export async function delayFrames(page: Page): Promise<void> {
  // Preact waits 35 ms for a frame.
  await page.evaluate(`{
    const { setTimeout: wait, requestAnimationFrame: draw } = window;
    window.requestAnimationFrame = (action) => wait(() => draw(action), 1_000);
    window.setTimeout = (action, ms) => wait(action, ms === 35 ? 1_000 : ms);
  }`);
}

interface Window {
  readonly context: BrowserContext;
  readonly complaints: string[];
}

async function openWatched(
  browser: Browser,
  url: string,
  { viewport = desktop, colorScheme = "dark", expects }: OpenOptions = {},
): Promise<Window> {
  const context = await openWindow(browser, {
    baseURL: url,
    viewport,
    colorScheme,
    // Without a graphics card, each frame of an animation is drawn by the processor.
    reducedMotion: "reduce",
  });
  return { context, complaints: listenToComplaints(context, url, expects) };
}

/** Sends the form of the sign-in, and gives the cookie that a browser gets for it. */
async function signIn(app: App, url: string, basePath: string): Promise<{ name: string; value: string }> {
  const { headers } = await app.inject({
    method: "POST",
    url: `${basePath}/_/sign-in`,
    headers: { host: new URL(url).host, origin: url, "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ identity: email, password }).toString(),
  });
  const [name = "", value = ""] = headers["set-cookie"]![0]!.split(";")[0]!.split("=");
  return { name, value };
}

async function openPage(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(path);
  await page.waitForSelector("main h1", { state: "attached" });
  return page;
}

function listenToComplaints(context: BrowserContext, url: string, expects: RegExp | undefined): string[] {
  const complaints: string[] = [];
  const complain = (text: string, where = "") => {
    if (!expects?.test(text)) complaints.push(`${text} ${where}`);
  };
  // A policy that is broken is told in the console as an error, too.
  context.on("console", (message) => {
    if (message.type() === "error") complain(message.text(), message.location().url);
  });
  context.on("weberror", (error) => complain(error.error().stack ?? error.error().message));
  context.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== "data:" && protocol !== "blob:" && origin !== url) complain(`asked ${request.url()}`);
  });
  return complaints;
}

/** What the application logged as a warning or an error: usually the cause of a complaint. */
function readWarnings(dataDir: string): string {
  const file = `${dataDir}/log`;
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  return lines.filter((line) => /"level":"?(warn|error|fatal)/i.test(line)).join("\n");
}
