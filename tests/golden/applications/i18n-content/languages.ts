import type { RequestEvent } from "../../../../src/index.ts";

export const LANGUAGES = ["en", "de", "fr"] as const;
export type Language = (typeof LANGUAGES)[number];

export function isLanguage(value: string): value is Language {
  return (LANGUAGES as readonly string[]).includes(value);
}

function preferred(header: string | undefined): string[] {
  if (header === undefined) return [];
  return header
    .toLowerCase()
    .split(",")
    .map((part) => part.trim().slice(0, 2));
}

/** The language of the answer: as asked for, else as the browser prefers, else English. */
export function languageOf(e: RequestEvent): Language {
  const asked = e.query("lang");
  if (asked !== undefined) {
    if (!isLanguage(asked)) throw e.error(400, `We speak ${LANGUAGES.join(", ")}.`);
    return asked;
  }
  for (const tag of preferred(e.header("Accept-Language"))) {
    if (isLanguage(tag)) return tag;
  }
  return "en";
}

export function announce(e: RequestEvent, language: Language): void {
  e.setHeader("Content-Language", language);
  e.setHeader("Vary", "Accept-Language");
}
