import { computed, signal } from "@preact/signals";
import { root } from "../data/root.ts";

/** The theme: dark, unless the system prefers light or the user selected one. */

const system = window.matchMedia("(prefers-color-scheme: light)");
const systemIsDark = signal(!system.matches);
system.addEventListener("change", () => {
  systemIsDark.value = !system.matches;
});

const chosen = signal(document.documentElement.dataset.theme);

export const theme = computed<"dark" | "light">(() => {
  if (chosen.value === "dark" || chosen.value === "light") return chosen.value;
  return systemIsDark.value ? "dark" : "light";
});

/** Stored in a cookie for the pages below a path, so that the server renders the next one with this theme. */
export function switchTheme(path = "/_/"): void {
  const next = theme.value === "dark" ? "light" : "dark";
  const isDefault = (next === "dark") === systemIsDark.value;
  chosen.value = next;
  document.documentElement.dataset.theme = next;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is unavailable over plain HTTP.
  document.cookie = `annex_theme=${next}; Path=${root}${path}; SameSite=Strict; Max-Age=${isDefault ? 0 : 31_536_000}`;
}
