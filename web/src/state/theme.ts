import { computed, signal } from "@preact/signals";

/** Dark or light: what the system says, until somebody chooses. */

const system = window.matchMedia("(prefers-color-scheme: dark)");
const systemIsDark = signal(system.matches);
system.addEventListener("change", () => {
  systemIsDark.value = system.matches;
});

const chosen = signal(document.documentElement.dataset.theme);

export const theme = computed<"dark" | "light">(() => {
  if (chosen.value === "dark" || chosen.value === "light") return chosen.value;
  return systemIsDark.value ? "dark" : "light";
});

/** Kept in a cookie, which the server reads, so that the next page begins with it. */
export function switchTheme(): void {
  const next = theme.value === "dark" ? "light" : "dark";
  const isDefault = (next === "dark") === systemIsDark.value;
  chosen.value = next;
  document.documentElement.dataset.theme = next;
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is missing over plain HTTP.
  document.cookie = `annex_theme=${next}; Path=/_/; SameSite=Strict; Max-Age=${isDefault ? 0 : 31_536_000}`;
}
