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
 * Fails when axe-core finds anything, dark or light. The two differ in nothing but their colors, so the other rules are
 * checked once, and the page need not be loaded again.
 */
export async function checkAccessibility(page: Page): Promise<void> {
  // As a script of the page it would be refused by the page's policy; the debugger is not.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axeSource);
  await runAxe(page, "document", { rules: { "color-contrast": { enabled: false } } });
  const isDark = await page.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches");
  const schemes = isDark ? (["light", "dark"] as const) : (["dark", "light"] as const);
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    await runAxe(page, `(${findLooks})()`, { runOnly: ["color-contrast"] });
  }
}

/**
 * The elements whose contrast is checked. A table has the same colors in each of its rows, and contrast takes most of
 * the time of axe-core, so three elements of each look are enough: one of them may be covered or scrolled out of view.
 */
const findLooks = `function findLooks() {
  const grounds = new Map([[null, ""]]);
  const groundOf = (element) => {
    if (!grounds.has(element)) {
      const { backgroundColor, backgroundImage, opacity, filter } = getComputedStyle(element);
      const own = [backgroundColor, backgroundImage, opacity, filter].join();
      const layer = element.matches("dialog, [role=dialog], [popover]") ? "layer " + grounds.size : "";
      const isPlain = own === "rgba(0, 0, 0, 0),none,1,none" && !layer;
      grounds.set(element, groundOf(element.parentElement) + (isPlain ? "" : own + layer));
    }
    return grounds.get(element);
  };
  const hasText = (element) =>
    element.matches("input, select, textarea") ||
    [...element.childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim());
  const lookOf = (element) => {
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
    const isDisabled = element.closest(":disabled, [aria-disabled=true]") !== null;
    const names = element.tagName + element.getAttribute("class");
    return [groundOf(element), color, fontSize, fontWeight, textShadow, isDisabled, names].join();
  };
  const shown = [...document.querySelectorAll("body, body *")].filter(
    (element) => hasText(element) && element.checkVisibility({ visibilityProperty: true, opacityProperty: true }),
  );
  return Object.values(Object.groupBy(shown, lookOf)).flatMap((same) => [
    ...new Set([same[0], same[same.length >> 1], same.at(-1)]),
  ]);
}`;

/** `context`: an expression for what is checked. */
async function runAxe(page: Page, context: string, options: object): Promise<void> {
  const { violations } = await page.evaluate<AxeResult>(
    `axe.run(${context}, ${JSON.stringify({ resultTypes: ["violations"], ...options })})`,
  );
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
