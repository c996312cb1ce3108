/** What every page must fulfil, at every width and in both colour schemes. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { messageOf } from "../../src/lib/thrown.ts";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const desktop = { width: 1440, height: 900 } as const;
export const tablet = { width: 1024, height: 768 } as const;
export const phone = { width: 390, height: 844 } as const;

type Viewport = NonNullable<ReturnType<Page["viewportSize"]>>;

/**
 * Fails when the page does not fit one of these viewports, or axe-core finds anything there. The page is loaded once and
 * resized, because loading it costs more than checking it. Open it on a phone, so that the test also works there.
 */
export async function checkLooks(
  page: Page,
  viewports: readonly Viewport[] = [phone, desktop],
): Promise<void> {
  const before = page.viewportSize()!;
  for (const viewport of viewports) {
    await resize(page, viewport);
    try {
      await checkWidth(page);
      await checkAccessibility(page);
    } catch (cause) {
      throw new Error(`At ${viewport.width} px: ${messageOf(cause)}`, { cause });
    }
  }
  await resize(page, before);
}

async function resize(page: Page, viewport: Viewport): Promise<void> {
  await page.setViewportSize(viewport);
  // Charts follow the width in the next frame.
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
}

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

/** Fails when the page does not fit one of these widths. */
export async function checkWidths(page: Page, widths: readonly number[]): Promise<void> {
  for (const width of widths) {
    await resize(page, { width, height: 900 });
    await checkWidth(page).catch((error: Error) => assert.fail(`${width} px: ${error.message}`));
    assert.deepEqual(await findCut(page), [], `at ${width} px`);
  }
}

/** Buttons and links that are partly outside of the window. Long paths of requests end with an ellipsis. */
function findCut(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`
    [...document.querySelectorAll("main button, main a, nav a, header button, header a")]
      .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect();
        return width > 1 && (left < -1 || right > document.documentElement.clientWidth + 1);
      })
      .filter((element) => element.closest(".skip, .flags, .requests .col-path, [class*=scroll], .lane, .gantt-lane, pre") === null)
      .map((element) => element.outerHTML.slice(0, 150))
  `);
}
