import { computed, signal } from "@preact/signals";
import { root } from "../data/root.ts";

/** The page and everything selected on it are stored in the URL, so that links can be shared. */

/** The pages by name. Each page adds its own, so that links to it are checked. */
export interface Pages {
  overview: true;
}

export type PageName = keyof Pages;

export type Params = Readonly<Record<string, string | number | undefined>>;

interface Address {
  /** The last part of the path; the shell knows which pages there are. */
  readonly page: string;
  readonly params: URLSearchParams;
}

/** The path of the client: the dashboard, or the documentation page of a version. */
const base = document.getElementById("app")?.dataset.base ?? `${root}/_/_`;
/** The page at the base path. */
const home: PageName = "overview";

/** Parameters that are kept when changing pages: the time window and how times are shown. */
const shared = ["range", "from", "to", "live", "tz", "instance"];

const current = signal(readAddress());

export const page = computed(() => current.value.page);
export const params = computed(() => current.value.params);

/** One URL parameter. In a component, subscribes to its changes. */
export function param(name: string): string | undefined {
  return params.value.get(name) ?? undefined;
}

function readAddress(): Address {
  const { pathname, search } = window.location;
  const page = pathname.slice(base.length).replace(/^\/|\/$/g, "") || home;
  return { page, params: new URLSearchParams(search) };
}

/** The URL of a page, with the current time window. */
export function hrefTo(name: PageName, wanted: Params = {}): string {
  const query = new URLSearchParams();
  for (const key of shared) {
    const value = params.value.get(key);
    if (value !== null) query.set(key, value);
  }
  return toHref(name, change(query, wanted));
}

/** The URL of the current page with some parameters changed. */
export function hrefHere(changes: Params): string {
  return toHref(page.value, change(new URLSearchParams(params.value), changes));
}

/** The URL of the current page as it is stored, which does not depend on the base path. */
export function storedHere(): string {
  return hrefHere({}).slice(root.length);
}

export function go(href: string, { replace = false } = {}): void {
  if (href === window.location.pathname + window.location.search) return;
  window.history[replace ? "replaceState" : "pushState"](null, "", href);
  current.value = readAddress();
}

/** Changes some URL parameters; undefined removes one. */
export function setParams(changes: Params, { replace = false } = {}): void {
  const { page, params } = current.peek();
  go(toHref(page, change(new URLSearchParams(params), changes)), { replace });
}

function change(query: URLSearchParams, changes: Params): URLSearchParams {
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined || value === "") query.delete(key);
    else query.set(key, String(value));
  }
  return query;
}

function toHref(name: string, query: URLSearchParams): string {
  const path = name === home ? base : `${base}/${name}`;
  const text = query.toString();
  return text === "" ? path : `${path}?${text}`;
}

/** Handles clicks on dashboard links without reloading the page. */
export function followLinks(): void {
  window.addEventListener("popstate", () => {
    current.value = readAddress();
  });
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest?.("a");
    if (!link || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.origin !== window.location.origin || link.target !== "" || link.hasAttribute("download")) return;
    if (link.pathname !== base && !link.pathname.startsWith(`${base}/`)) return;
    if (link.hash !== "" && link.pathname === window.location.pathname) return;
    event.preventDefault();
    const isOtherPage = link.pathname !== window.location.pathname;
    go(link.pathname + link.search);
    if (isOtherPage) window.scrollTo(0, 0);
  });
}
