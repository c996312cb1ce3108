import type { RequestEvent } from "../event.ts";

export type Theme = "dark" | "light";

/** The theme that the user has selected. It is stored in a cookie, so that the first paint uses it. */
export function readTheme(e: RequestEvent<never>): Theme | undefined {
  const theme = e.cookie("annex_theme");
  return theme === "dark" || theme === "light" ? theme : undefined;
}
