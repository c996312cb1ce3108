import type { Vocabulary } from "./parse.ts";
import { formatToken, splitTokens, type Token } from "./tokens.ts";

/** A suggestion for the word at the caret. */
export interface Suggestion {
  /** The text that replaces the word at the caret. */
  readonly insert: string;
  readonly label: string;
  readonly hint?: string;
  /** Whether the word is complete. A field name still needs a value. */
  readonly isWhole: boolean;
}

export interface Suggestions {
  /** The start of the replaced word. */
  readonly start: number;
  readonly end: number;
  readonly items: readonly Suggestion[];
}

/** Returns values to suggest for a field. */
export type ValuesOf = (field: string) => readonly string[];

const shown = 10;

const hints: Readonly<Record<string, string>> = {
  status: "404 or 5xx",
  method: "GET, POST, …",
  path: "/api/* or *.pdf",
  route: "GET /todos/{id}",
  dur: ">200ms, <2s, 100ms..2s",
  trace: "18 letters and digits",
  level: "warn, >=warn",
  event: "http_request, error, log",
  ip: "the client’s full address",
  user_agent: "the full text",
  instance: "the name of an instance",
};

const fixedValues: Readonly<Record<string, readonly string[]>> = {
  status: ["5xx", "4xx", "3xx", "2xx", "500", "502", "503", "404", "401", "403", "429", "499", "400", "422"],
  method: ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"],
  dur: [">100ms", ">500ms", ">1s", ">5s", "<10ms", "100ms..1s"],
  level: ["error", "warn", "info", "debug", ">=warn"],
  event: ["error", "http_request", "log", "app_startup", "app_shutdown"],
};

export function suggestAt(text: string, caret: number, words: Vocabulary, valuesOf: ValuesOf): Suggestions {
  const token = splitTokens(text).find(({ start, end }) => start < caret && caret <= end);
  if (!token) return { start: caret, end: caret, items: suggestFields("", false, words, valuesOf) };
  // Only the text before the caret is considered.
  const before = splitTokens(text.slice(0, caret)).at(-1)!;
  const items =
    before.field === undefined
      ? suggestFields(before.value, before.isNegated, words, valuesOf)
      : suggestValues(before, before.field, valuesOf);
  return { start: token.start, end: token.end, items };
}

function suggestFields(
  begin: string,
  isNegated: boolean,
  words: Vocabulary,
  valuesOf: ValuesOf,
): Suggestion[] {
  const sign = isNegated ? "-" : "";
  const others = begin === "" ? [] : valuesOf("");
  return [...new Set([...words.fields, ...others])]
    .filter((field) => field.toLowerCase().startsWith(begin.toLowerCase()))
    .filter((field) => field !== "instance" || valuesOf(field).length > 1)
    .slice(0, shown)
    .map((field) => ({
      insert: sign + formatToken(field, "x").slice(0, -1),
      label: `${sign}${field}:`,
      hint: hints[field] ?? "field",
      isWhole: false,
    }));
}

function suggestValues({ value, isNegated }: Token, field: string, valuesOf: ValuesOf): Suggestion[] {
  const wanted = value.toLowerCase();
  const all = [...new Set([...(fixedValues[field] ?? []), ...valuesOf(field)])];
  // Matches at the start come first, then matches anywhere else.
  const begins = all.filter((each) => each.toLowerCase().startsWith(wanted));
  const has = all.filter((each) => !begins.includes(each) && each.toLowerCase().includes(wanted));
  return [...begins, ...has]
    .filter((each) => each !== value)
    .slice(0, shown)
    .map((each) => ({ insert: formatToken(field, each, { isNegated }), label: each, isWhole: true }));
}
