import type { Browser, Request } from "playwright-core";
import { median, openWindow, round } from "./window.ts";

const pages = ["", "requests", "requests?tab=routes", "errors", "visitors", "cron", "logs", "api", "config"];
const ranges = ["15m", "1h", "6h", "24h", "7d", "30d"];

/** How long the responses take that each page asks for, at every range: the slowest of each page, in milliseconds. */
export async function measureHistory(browser: Browser, url: string): Promise<object> {
  const { context, page } = await openWindow(browser, url);
  const results: Record<string, Record<string, number>> = {};
  const responses: number[] = [];
  const slowest = new Map<string, number>();
  page.on("requestfinished", (request: Request) => {
    if (!/\/data\/|\/api\//.test(request.url())) return;
    const { responseStart, requestStart } = request.timing();
    if (responseStart < requestStart) return;
    const name = new URL(request.url()).pathname;
    responses.push(responseStart - requestStart);
    slowest.set(name, Math.max(slowest.get(name) ?? 0, round(responseStart - requestStart)));
  });
  for (const name of pages) {
    const row: Record<string, number> = {};
    for (const range of ranges) {
      const worst: number[] = [];
      for (let count = 0; count < 3; count++) {
        responses.length = 0;
        await page.goto(`/_/_/${name}${name.includes("?") ? "&" : "?"}range=${range}&live=0`);
        await page.waitForSelector("main h1", { state: "attached" });
        await page.waitForLoadState("networkidle");
        worst.push(Math.max(0, ...responses));
      }
      row[range] = round(median(worst));
    }
    results[name || "overview"] = row;
  }
  await context.close();
  console.log("\nThe slowest response that each page waits for, milliseconds, medians of three");
  console.table(results);
  console.log("\nThe slowest response of each route");
  console.table(Object.fromEntries([...slowest].sort(([, one], [, other]) => other - one).slice(0, 12)));
  return results;
}
