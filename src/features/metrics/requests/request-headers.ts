import { defaultRedactor, type Redactor } from "../../../lib/redaction/redactor.ts";
import { cutText } from "./cut-text.ts";

export interface Header {
  /** In lower case. */
  readonly name: string;
  readonly value: string;
}

const maxHeaders = 40;
const maxNameLength = 100;
const maxValueLength = 300;
/** Total for all names and values of a request. */
const maxLetters = 4_096;

/** Truncates the headers of a request, an array of alternating names and values. */
export function cutHeaders(raw: readonly string[]): readonly string[] {
  if (raw.length <= 2 * maxHeaders && lettersOf(raw) <= maxLetters) return raw;
  const kept: string[] = [];
  let left = maxLetters;
  for (let index = 0; index < raw.length && kept.length < 2 * maxHeaders; index += 2) {
    const name = cutText(raw[index]!, maxNameLength);
    const value = cutText(raw[index + 1]!, maxValueLength);
    left -= name.length + value.length;
    if (left < 0) break;
    kept.push(name, value);
  }
  return kept;
}

function lettersOf(texts: readonly string[]): number {
  let letters = 0;
  for (const text of texts) letters += text.length;
  return letters;
}

/** Formats headers for display, without credentials. */
export function describeHeaders(raw: readonly string[], redactor: Redactor = defaultRedactor): Header[] {
  const headers: Header[] = [];
  for (let index = 0; index < raw.length && headers.length < maxHeaders; index += 2) {
    const name = cutText(raw[index]!, maxNameLength);
    // Truncated first, so that the time for redaction is bounded.
    const value = redactor.header(name, cutText(raw[index + 1]!, maxValueLength));
    headers.push({ name: name.toLowerCase(), value });
  }
  return headers;
}
