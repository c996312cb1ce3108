import type { ComponentType } from "preact";
import type { PageName } from "../state/address.ts";
import type { Preset } from "../state/time-window.ts";
import type { IconImage } from "../ui/icon.tsx";

/** A page of the dashboard. */
export interface Page {
  /** The name of its folder and the last part of its path. */
  readonly name: PageName;
  readonly title: string;
  /** The name of an icon, or the path of a drawing on a grid of 20. */
  readonly icon: IconImage;
  /** The letter that opens it after G. */
  readonly shortcut: string;
  /** The time window that it begins with. Default: a quarter of an hour. */
  readonly preset?: Preset;
  /** Loads the component when the page is first opened. A page in the initial bundle returns it directly. */
  load(): Promise<ComponentType> | ComponentType;
}

/**
 * Defines a page. Its name is declared as well, so that links to it are checked:
 *
 *     export const cron = definePage({
 *       name: "cron",
 *       title: "Cron",
 *       icon: "cron",
 *       shortcut: "c",
 *       load: async () => (await import("./cron.tsx")).Cron,
 *     });
 *
 *     declare module "../../state/address.ts" {
 *       interface Pages {
 *         cron: true;
 *       }
 *     }
 */
export function definePage(page: Page): Page {
  return page;
}
