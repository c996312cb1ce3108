import { setTimeout as delay } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import { median, openWindow, round } from "./window.ts";

const liveMs = 30_000;
/** Then, the other pages have been loaded into the cache. */
const settleMs = 15_000;
/** 50 KB per second and 400 ms, as on a weak mobile connection. */
const slowLine = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };

/** Resolves with the time since the start of the page at which a text has a word or a number. */
const watchText = (selector: string, pattern: string) => `
  new Promise((resolve) => {
    const look = () => {
      const element = document.querySelector(${JSON.stringify(selector)});
      if (element && ${pattern}.test(element.textContent)) resolve(performance.now());
      else requestAnimationFrame(look);
    };
    look();
  })
`;

/** Bytes of a live overview over half a minute, and how soon it shows something on a slow line. */
export async function measureTransfer(browser: Browser, url: string): Promise<object> {
  const result = { ...(await measureLive(browser, url)), ...(await measureSlow(browser, url)) };
  console.log("\nTransfer");
  console.table(result);
  return result;
}

async function measureLive(browser: Browser, url: string): Promise<object> {
  const calls = setInterval(() => void fetch(`${url}/about`).catch(() => {}), 100);
  const { context, page } = await openWindow(browser, url);
  // Before the page is loaded: the stream is part of the traffic.
  const traffic = await countTraffic(page);
  await page.goto("/_/_");
  await delay(settleMs);
  const before = traffic();
  await delay(liveMs);
  const { bytes, requests } = traffic();
  clearInterval(calls);
  await context.close();
  return {
    "KB in 30 s of a live overview": round((bytes - before.bytes) / 1_000),
    "requests in 30 s": requests - before.requests,
  };
}

/** Bytes of bodies and headers, as sent. */
async function countTraffic(page: Page) {
  const session = await page.context().newCDPSession(page);
  let bytes = 0;
  let requests = 0;
  await session.send("Network.enable");
  session.on("Network.dataReceived", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  session.on("Network.responseReceivedExtraInfo", ({ headersText = "" }) => {
    requests++;
    bytes += headersText.length;
  });
  return () => ({ bytes, requests });
}

const slowRounds = 5;

/** With an empty cache, as on the first visit, and with a full one. */
async function measureSlow(browser: Browser, url: string): Promise<object> {
  const { context, page } = await openWindow(browser, url);
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  const result: Record<string, number> = {};
  for (const cache of ["cold", "warm"]) {
    const times = [];
    for (let count = 0; count < slowRounds; count++) {
      // Whatever the page before is still loading would share the line.
      await page.goto("about:blank");
      if (cache === "cold") await session.send("Network.clearBrowserCache");
      await session.send("Network.emulateNetworkConditions", slowLine);
      times.push(await measureFirstTexts(page));
    }
    for (const name of ["numbers", "health", "charts"] as const) {
      result[`ms to the first ${name}, slow line, ${cache} cache`] = round(
        median(times.map((each) => each[name])),
      );
    }
  }
  await context.close();
  return result;
}

async function measureFirstTexts(page: Page) {
  await page.goto("/_/_", { waitUntil: "commit" });
  const [numbers, health, charts] = await Promise.all([
    page.evaluate<number>(watchText(".tile-value", "/\\d/")),
    page.evaluate<number>(watchText(".verdict .status", "/Healthy|Degraded|Failing/")),
    page.evaluate<number>(watchText(".chart-plot:not(.is-empty):has(canvas)", "/^/")),
  ]);
  return { numbers, health, charts };
}
