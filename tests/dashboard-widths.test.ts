import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { App } from "../src/index.ts";
import { checkAccessibility, checkWidths, useDashboard } from "./support/dashboard.ts";

/** Every page at every width, with data that is longer than anyone expects. */

const dashboard = useDashboard();

const widths = [2560, 1440, 1180, 1024, 834, 769, 390, 320];

const longName = "LongJobName".repeat(19).slice(0, 200);
const rightToLeft = "שלום עולם 👩‍💻 مرحبا بالعالم";

function prepare(app: App): void {
  app.onServe(({ router }) => {
    router.get("/fails/{rest...}", () => {
      throw new Error(`${rightToLeft} ${"unbroken".repeat(80)}`);
    });
  });
  app.jobs.registerJob("long", longName, "A description. ".repeat(40), "*/7 3-5,9 1-7 */2 MON-FRI", () => {
    throw new Error("x".repeat(500));
  });
  app.jobs.registerJob("emoji", rightToLeft, rightToLeft, "0 0 1 1 *", () => {});
}

async function fill(app: App): Promise<void> {
  await app.inject({ url: `/${"long-path-".repeat(500)}` });
  await app.inject({ url: `/fails/${"unbroken".repeat(600)}` });
  await app.inject({ url: `/fails/${encodeURIComponent(rightToLeft)}` });
  for (const job of ["long", "emoji"]) await app.jobs.run(job);
  app.logger.error(`${rightToLeft} \u202e ${"unbroken".repeat(200)}`, { [longName]: rightToLeft });
}

const shared = dashboard.share({}, { prepare, fill });

/** The address of each page, and an element that appears with its data. */
const pages: readonly (readonly [address: string, loaded: string])[] = [
  ["/_/_", ".attention .medium"],
  ["/_/_/requests", ".requests tbody a"],
  ["/_/_/requests?tab=routes", ".table tbody a"],
  ["/_/_/requests?tab=slowest", ".table tbody a"],
  ["/_/_/errors", ".error-row"],
  ["/_/_/visitors", ".visit-privacy"],
  ["/_/_/cron", ".cron-jobs .job-name"],
  ["/_/_/cron?job=long", ".job-parts"],
  ["/_/_/logs", ".record-text"],
  ["/_/_/access", "main h1"],
  ["/_/_/api", ".endpoint-link"],
  ["/_/_/config", ".config-group, main h2"],
  ["/_/_/config?tab=storage", ".storage-bar"],
];

describe("every page of the dashboard", () => {
  for (const [address, loaded] of pages) {
    it(`fits every width: ${address}`, async (t) => {
      const { open } = await shared(t);
      const page = await open(address);
      await page.locator(loaded).first().waitFor({ state: "attached" });
      await checkWidths(page, widths);
      await page.setViewportSize({ width: 1024, height: 768 });
      await checkAccessibility(page);
    });
  }
});

describe("the check of a page", () => {
  it("finds one text among many that is hard to read in dark or in light mode only", async (t) => {
    const { open } = await shared(t);
    const page = await open("/_/_/access");
    await page.evaluate(`{
      const names = ["plain", "plain", "weak", "plain"];
      const texts = names.map((className) =>
        Object.assign(document.createElement("p"), { className, textContent: "Text" }),
      );
      const main = document.createElement("main");
      main.append(Object.assign(document.createElement("h1"), { textContent: "Texts" }), ...texts);
      document.body.replaceChildren(main);
      document.adoptedStyleSheets.push(new CSSStyleSheet());
    }`);
    for (const colorScheme of ["dark", "light"] as const) {
      await page.evaluate(`document.adoptedStyleSheets.at(-1).replaceSync(
        "@media (prefers-color-scheme: ${colorScheme}) { .weak { color: #888; background: #999; } }"
      )`);
      await assert.rejects(checkAccessibility(page), /color-contrast[\s\S]*class="weak"/);
    }
  });
});
