import { effect, signal } from "@preact/signals";
import { type Credential, isBasic, type NamedScheme, placeOf } from "./schemes.ts";

/**
 * The credentials that the user has entered, by scheme. For HTTP basic authentication, the text is `name:password`.
 * By default, they are kept in memory only.
 */
export const entered = signal<Readonly<Record<string, string>>>({});

export function enter(scheme: string, text: string): void {
  const { [scheme]: _, ...others } = entered.value;
  entered.value = text === "" ? others : { ...others, [scheme]: text };
}

/** Keeps credentials until the browser tab is closed. */
export function rememberForSession(key: string): void {
  entered.value = readStored(key);
  effect(() => {
    try {
      sessionStorage.setItem(key, JSON.stringify(entered.value));
    } catch {
      // The browser may block storage. Then they are kept in memory.
    }
  });
}

function readStored(key: string): Readonly<Record<string, string>> {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? "{}");
    const pairs = Object.entries(stored as object).filter(([, value]) => typeof value === "string");
    return Object.fromEntries(pairs);
  } catch {
    return {};
  }
}

/** The credentials to send for these schemes: those that the user has entered. */
export function credentialsFor(schemes: readonly NamedScheme[]): Credential[] {
  return schemes.flatMap((each) => {
    const text = entered.value[each.name];
    return text === undefined ? [] : { ...placeOf(each), secret: secretOf(each, text) };
  });
}

function secretOf({ scheme }: NamedScheme, text: string): string {
  if (isBasic(scheme)) return toBase64(text);
  // People copy whole headers.
  return scheme.type === "apiKey" ? text : text.replace(/^bearer +/i, "");
}

/** Of the UTF-8 bytes, because `btoa` accepts only Latin-1. */
function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
