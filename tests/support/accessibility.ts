/** What every page must fulfil, in both colour schemes. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface AxeResult {
  violations: { id: string; help: string; nodes: { html: string; failureSummary: string }[] }[];
}

/**
 * Fails when axe-core finds anything, dark or light. The two differ in nothing but their colours, so the other rules
 * are checked once, and the page need not be loaded again.
 */
export async function checkAccessibility(page: Page): Promise<void> {
  // As a script of the page it would be refused by the page's policy; the debugger is not.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axeSource);
  await runAxe(page);
  const isDark = await page.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches");
  const [now, other] = isDark ? (["dark", "light"] as const) : (["light", "dark"] as const);
  await page.emulateMedia({ colorScheme: other });
  await runAxe(page, ["color-contrast"]);
  await page.emulateMedia({ colorScheme: now });
}

async function runAxe(page: Page, runOnly?: readonly string[]): Promise<void> {
  const options = JSON.stringify({ resultTypes: ["violations"], ...(runOnly && { runOnly }) });
  const { violations } = await page.evaluate<AxeResult>(`axe.run(document, ${options})`);
  const told = violations.map(({ id, help, nodes }) => ({
    id,
    help,
    nodes: nodes.slice(0, 3).map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary}`),
  }));
  assert.deepEqual(told, []);
}

/** Fails when the page can be scrolled sideways. */
export async function checkWidth(page: Page): Promise<void> {
  const overhang = await page.evaluate<number>(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  assert.ok(overhang <= 0, `The page is ${overhang} pixels too wide.`);
}
