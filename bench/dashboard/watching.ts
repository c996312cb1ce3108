import { setTimeout as delay } from "node:timers/promises";
import type { Browser } from "playwright-core";
import { openWindow, round } from "./window.ts";

const measuredMs = 40_000;

interface WatchingOptions {
  readonly watchers: number;
  /** Milliseconds of processor time that the server has used. */
  cpu(): Promise<number>;
}

/** What open dashboards cost the server, beside the same server that nobody watches. */
export async function measureWatching(
  browser: Browser,
  url: string,
  options: WatchingOptions,
): Promise<object> {
  const { watchers, cpu } = options;
  const share = async () => {
    const before = await cpu();
    await delay(measuredMs);
    return ((await cpu()) - before) / measuredMs;
  };
  const alone = await share();
  const windows = [];
  // Each is a browser of its own to the server: windows of one browser would share a stream.
  for (let count = 0; count < watchers; count++) windows.push(await openWindow(browser, url));
  await delay(5_000);
  const watched = await share();
  for (const { context } of windows) await context.close();
  const percent = (ratio: number) => round(ratio * 1_000) / 10;
  const result = {
    "% of a core, nobody watches": percent(alone),
    [`% of a core, ${watchers} dashboards`]: percent(watched),
    "% more": percent(watched - alone),
  };
  console.log("\nWhat watching costs the server");
  console.table(result);
  return result;
}
