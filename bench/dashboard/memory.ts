import type { Browser } from "playwright-core";
import { openWindow, round } from "./window.ts";

const minutes = 60;

/** In place of the stream: hands out seconds when the test says so, an hour's worth in a minute. */
const fakeStream = `
  window.EventSource = class extends EventTarget {
    static CLOSED = 2;
    readyState = 1;
    constructor() { super(); window.stream = this; }
    close() {}
    say(name, data) { this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) })); }
  };
`;

/** What an hour of one-second updates leaves in the page's memory, the time going by sixty times as fast. */
export async function measureMemory(browser: Browser, url: string): Promise<object> {
  const { context, page } = await openWindow(browser, url, (each) => each.addInitScript(fakeStream));
  await page.clock.install();
  await page.goto("/_/_");
  await page.waitForFunction("window.stream !== undefined");
  const snapshot = await page.evaluate<Record<string, unknown> & { seconds: { time: number }[] }>(
    "fetch('/_/_/data/now').then((response) => response.json())",
  );
  await page.evaluate(([name, data]) => (globalThis as unknown as Stream).stream.say(name as string, data), [
    "snapshot",
    snapshot,
  ] as const);
  const devtools = await context.newCDPSession(page);
  const template = snapshot.seconds.at(-1)!;
  const readings: number[] = [];
  let time = template.time;
  for (let minute = 1; minute <= minutes; minute++) {
    for (let second = 0; second < 60; second++) {
      time += 1_000;
      await page.evaluate((data) => (globalThis as unknown as Stream).stream.say("second", data), {
        ...template,
        time,
      });
      await page.clock.runFor(1_000);
    }
    if (minute % 10 !== 0 && minute !== 5) continue;
    await devtools.send("HeapProfiler.collectGarbage");
    const { usedSize } = await devtools.send("Runtime.getHeapUsage");
    readings.push(usedSize);
  }
  await context.close();
  const megabytes = readings.map((bytes) => round(bytes / 1e6));
  const result = { "MB after 5, 10, 20 … 60 minutes": megabytes.join(", ") };
  console.log("\nAn hour of updates in one page");
  console.table(result);
  return result;
}

interface Stream {
  stream: { say(name: string, data: unknown): void };
}
