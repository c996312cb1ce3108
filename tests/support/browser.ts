/**
 * A real browser for the tests, from the binary that `@sparticuz/chromium` brings: nothing to install or download.
 *
 *     const browser = await launchBrowser();
 *     after(() => browser.close());
 *     const page = await (await openWindow(browser)).newPage();
 *
 * The binary is unpacked once for a run, by the first test file that asks (see `run-folder.ts`). Where it cannot
 * run, a Chromium of the system takes its place, and where there is none the call fails with the reasons: a test
 * without its browser must not look like one that passed. `ANNEX_TEST_CHROMIUM=/path/to/chrome` decides the matter.
 *
 * The browser reaches loopback and nothing else, so that a page which loads a font or a script from elsewhere fails
 * here as it would for a user behind a firewall.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { messageOf } from "../../src/lib/thrown.ts";
import { prepareOnce } from "./run-folder.ts";

const run = promisify(execFile);

interface Candidate {
  executablePath: string;
  env?: Record<string, string>;
}

const systemBrowsers = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/snap/bin/chromium",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

const flags = [
  // Nothing but loopback, whether the page asks for it or the browser itself.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1, EXCLUDE [::1]",
  "--no-proxy-server",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-default-apps",
  "--disable-domain-reliability",
  "--disable-quic",
  "--disable-sync",
  "--no-first-run",
  "--no-pings",
  // The same pixels on every machine.
  "--disable-gpu",
  // On an overloaded machine, drawing takes longer than the watchdog waits, and it ends the browser.
  "--disable-gpu-watchdog",
  "--font-render-hinting=none",
];

export async function launchBrowser(): Promise<Browser> {
  const chosen = process.env.ANNEX_TEST_CHROMIUM;
  if (chosen) return launch({ executablePath: chosen });

  const system = systemBrowsers.filter((path) => existsSync(path));
  const reasons: string[] = [];
  for (const find of [findPackagedBrowser, ...system.map((executablePath) => () => ({ executablePath }))]) {
    try {
      return await launch(await find());
    } catch (error) {
      const reason = messageOf(error);
      process.emitWarning(reason);
      reasons.push(reason);
    }
  }
  const remedy = "Install a Chromium, or name one in ANNEX_TEST_CHROMIUM.";
  throw new Error(["No browser for the tests.", ...reasons, remedy].join("\n"));
}

/** How long the browser tries an action, and waits for an element. */
const actionMs = 120_000;

/** Opens a window that shares nothing with others. */
export async function openWindow(
  browser: Browser,
  options?: Parameters<Browser["newContext"]>[0],
): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(actionMs);
  if (process.env.ANNEX_TEST_SLOW_BROWSER) await slowDown(context);
  return context;
}

/**
 * Delays each frame and each response. A test that passes only because the machine is fast fails here, every time.
 */
async function slowDown(context: BrowserContext): Promise<void> {
  // Preact waits 35 ms for a frame.
  await context.addInitScript(`{
    const { setTimeout: wait, requestAnimationFrame: draw } = window;
    window.requestAnimationFrame = (action) => wait(() => draw(action), 300);
    window.setTimeout = (action, ms, ...values) => wait(action, ms === 35 ? 300 : ms, ...values);
  }`);
  await context.route("**/*", async (route) => {
    await delay(200);
    await route.fallback();
  });
}

function launch({ executablePath, env }: Candidate): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: flags,
    env: { ...process.env, ...env },
    // The sandbox needs privileges that root and containers do not have, and the pages are our own.
    chromiumSandbox: false,
    timeout: 180_000,
  });
}

let packagedBrowser: Promise<Candidate> | undefined;

function findPackagedBrowser(): Promise<Candidate> {
  packagedBrowser ??= preparePackagedBrowser();
  return packagedBrowser;
}

async function preparePackagedBrowser(): Promise<Candidate> {
  const platform = `${process.platform}-${process.arch}`;
  if (platform !== "linux-x64") throw new Error(`@sparticuz/chromium has no binary for ${platform}`);
  const folder = await prepareOnce("chromium", unpack);

  const executablePath = join(folder, "chromium");
  const fonts = { FONTCONFIG_FILE: join(folder, "annex-fonts.conf") };
  if ((await findMissingLibraries(executablePath, {})).length === 0) return { executablePath, env: fonts };
  // The package's copies are for a machine without them; mixed with the system's own they could disagree.
  const libraries = { LD_LIBRARY_PATH: join(folder, "al2023", "lib") };
  const missing = await findMissingLibraries(executablePath, libraries);
  if (missing.length === 0) return { executablePath, env: { ...fonts, ...libraries } };
  throw new Error(
    `@sparticuz/chromium cannot run, these shared libraries are missing: ${missing.join(", ")}`,
  );
}

async function unpack(folder: string): Promise<void> {
  await mkdir(folder);
  await writeFile(join(folder, "annex-fonts.conf"), renderFontConfig(folder));
  const script = fileURLToPath(import.meta.resolve("./browser-unpack.ts"));
  // The package unpacks into the temporary folder of its process, its libraries only where it believes to be on Lambda.
  await run(process.execPath, [script], {
    env: { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x" },
  });
}

/** The system's fonts and rules where it has any; the package's Open Sans where a machine has no font at all. */
function renderFontConfig(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${folder}/fonts</dir>
  <cachedir>${folder}/font-cache</cachedir>
</fontconfig>
`;
}

/** Asks the loader to list instead of to run: unlike an attempt, that names everything that is missing. */
async function findMissingLibraries(binary: string, env: Record<string, string>): Promise<string[]> {
  const { stdout } = await run(binary, [], { env: { ...process.env, ...env, LD_TRACE_LOADED_OBJECTS: "1" } });
  return Array.from(stdout.matchAll(/^\s*(\S+) => not found$/gm), ([, library = ""]) => library);
}
