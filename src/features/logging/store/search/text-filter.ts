import type { Filter } from "./filter.ts";

/** Matches text in any value or field name, case-insensitive. */
export function createTextFilter(text: string): Filter {
  const wanted = text.toLowerCase();
  // Request records are ASCII with escapes, so only text with other characters requires unescaping.
  const fold = isPlain(text) ? lower : (lines: string) => lower(unescapeLetters(lines));
  const needle = fold(JSON.stringify(text).slice(1, -1));
  return {
    texts: isPlain(text) ? [needle] : needle.split(escapable),
    mayMatch: (lines) => fold(lines).includes(needle),
    matches: (record) => holds(record, wanted),
  };
}

const isPlain = (text: string) => /^[\0-\x7e]*$/.test(text);
/** Letters in lower case that a line may contain as the escape of another letter: the Kelvin sign and the dotted I. */
const escapable = /[ik]/;
const lower = (lines: string) => lines.toLowerCase();

/** Escapes are processed one by one, so that `u` after an escaped backslash does not start an escape. */
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
