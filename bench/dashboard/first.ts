import type { Browser } from "playwright-core";
import { median, openWindow, round } from "./window.ts";

const rounds = 15;

/** Notes when the first number stands on the page. It runs before any script of the page does. */
const watchFigures = `
  window.firstFigures = new Promise((resolve) => {
    const look = () => {
      const tile = document.querySelector(".tile-value");
      if (tile && /\\d/.test(tile.textContent)) resolve(performance.now());
      else requestAnimationFrame(look);
    };
    look();
  });
`;

/** Of the last script that the page began with. */
const scriptsDone = `
  Math.max(...performance.getEntriesByType("resource")
    .filter(({ name }) => /assets\\/main.*\\.js/.test(name))
    .map(({ responseEnd }) => responseEnd))
`;

/** From the arrival of the page's scripts to the first numbers, with an empty cache and with a full one. */
export async function measureFirst(browser: Browser, url: string): Promise<object> {
  const { context, page } = await openWindow(browser, url, (each) => each.addInitScript(watchFigures));
  const times: number[] = [];
  for (let count = 0; count < rounds; count++) {
    await page.goto("/_/_");
    const shown = await page.evaluate<number>("window.firstFigures");
    times.push(shown - (await page.evaluate<number>(scriptsDone)));
  }
  await context.close();
  const result = { "median ms": round(median(times)), "slowest ms": round(Math.max(...times)) };
  console.log("\nFirst numbers after the page's scripts");
  console.table(result);
  return result;
}
