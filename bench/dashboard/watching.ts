import { setTimeout as delay } from "node:timers/promises";
import type { Browser } from "playwright-core";
import { openWindow, round } from "./window.ts";

const measuredMs = 40_000;

interface WatchingOptions {
  readonly watchers: number;
  /** Milliseconds of processor time that the server has used. */
  cpu(): Promise<number>;
}

/** What one look and many open dashboards cost the server, compared with the same server without any. */
export async function measureWatching(
  browser: Browser,
  url: string,
  { watchers, cpu }: WatchingOptions,
): Promise<object> {
  const alone = await cpuShare(cpu);
  const one = await measureLook(browser, url, { cpu, alone });
  const windows = [];
  // Each is a browser of its own to the server: windows of one browser would share a stream.
  for (let count = 0; count < watchers; count++) windows.push(await openWindow(browser, url));
  await delay(5_000);
  const watched = await cpuShare(cpu);
  for (const { context } of windows) await context.close();
  const percent = (ratio: number) => round(ratio * 100);
  const result = {
    "% of a core, no dashboard": percent(alone),
    ...one,
    [`% of a core, ${watchers} dashboards`]: percent(watched),
    "% more": percent(watched - alone),
  };
  console.log("\nWhat watching costs the server");
  console.table(result);
  return result;
}

async function cpuShare(cpu: WatchingOptions["cpu"]): Promise<number> {
  const before = await cpu();
  await delay(measuredMs);
  return ((await cpu()) - before) / measuredMs;
}

const lookMs = 30_000;

/** The CPU time of loading the overview once and viewing it live for half a minute, without what the server uses anyway. */
async function measureLook(
  browser: Browser,
  url: string,
  { cpu, alone }: { cpu: WatchingOptions["cpu"]; alone: number },
): Promise<object> {
  const { context, page } = await openWindow(browser, url);
  await page.goto("about:blank");
  await delay(5_000);
  const start = performance.now();
  const before = await cpu();
  await page.goto("/_/_");
  await page.waitForSelector(".chart-plot:not(.is-empty) canvas");
  const [loaded, loadedAt] = [await cpu(), performance.now()];
  await delay(lookMs);
  const [viewed, viewedAt] = [await cpu(), performance.now()];
  await context.close();
  return {
    "ms of CPU to load the overview": round(loaded - before - alone * (loadedAt - start)),
    "ms of CPU for 30 s of one live overview": round(viewed - loaded - alone * (viewedAt - loadedAt)),
  };
}
