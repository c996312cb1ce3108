import type { Filter } from "./filter.ts";

/** Text in any value of a record or in the name of any field, in any case. */
export function createTextFilter(text: string): Filter {
  const wanted = text.toLowerCase();
  // Request records are ASCII, with the rest escaped; only a text that is not has to look behind the escapes.
  const fold = isPlain(text) ? lower : (lines: string) => lower(unescapeLetters(lines));
  const needle = fold(JSON.stringify(text).slice(1, -1));
  return {
    mayMatch: (lines) => fold(lines).includes(needle),
    matches: (record) => holds(record, wanted),
  };
}

const isPlain = (text: string) => /^[\0-\x7e]*$/.test(text);
const lower = (lines: string) => lines.toLowerCase();

/** Escapes are taken one by one, so that an escaped backslash before a `u` is not mistaken for the beginning of one. */
function unescapeLetters(lines: string): string {
  return lines.replace(/\\(?:u([0-9a-f]{4})|.)/gi, (whole, code: string | undefined) => {
    const letter = code === undefined ? 0 : Number.parseInt(code, 16);
    return letter > 0x7e ? String.fromCharCode(letter) : whole;
  });
}

function holds(value: unknown, wanted: string): boolean {
  if (typeof value !== "object" || value === null) return String(value).toLowerCase().includes(wanted);
  if (Array.isArray(value)) return value.some((item) => holds(item, wanted));
  return Object.entries(value).some(([name, inner]) => holds(name, wanted) || holds(inner, wanted));
}
