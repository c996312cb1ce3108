import { cutText } from "./cut-text.ts";

export interface Header {
  /** In lower case. */
  readonly name: string;
  readonly value: string;
}

const maxHeaders = 40;
const maxNameLength = 100;
const maxValueLength = 300;
/** Of all names and values of a request together. */
const maxLetters = 4_096;

/** The headers of a request, names and values in turn, without more text than is worth keeping. */
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

/** As they are told to people: what lets somebody in, or looks as if it did, is not among them. */
export function describeHeaders(raw: readonly string[]): Header[] {
  const headers: Header[] = [];
  for (let index = 0; index < raw.length && headers.length < maxHeaders; index += 2) {
    const name = cutText(raw[index]!.toLowerCase(), maxNameLength);
    // Cut first, so that looking for secrets takes no longer the longer the text is.
    headers.push({ name, value: redact(name, cutText(raw[index + 1]!, maxValueLength)) });
  }
  return headers;
}

const hidden = "••••";
const secretWords =
  "auth|cookie|token|secret|passw|passphrase|passcode|key|session|credential|signature|jwt|assertion|csrf|xsrf";
/** Too short to be looked for within other words. */
const shortWords = "otp|pin|sid|pass|pwd|sig|ticket";
const secretName = new RegExp(`${secretWords}|(^|[-_])(${shortWords})([-_]|$)`, "i");
/** Under any name: what is sent to prove who one is, and JSON Web Tokens. */
const secretValue = /^\s*(bearer|basic|digest|negotiate)\s|eyJ[\w-]{8,}/i;
/** A part of a query or a form, as the address of the page before may have it. */
const letters = "[^=?&;#\\s]*";
const parameter = `${letters}(?:${secretWords}|code)${letters}|(?:${letters}[-_])?(?:${shortWords})(?:[-_]${letters})?`;
const secretPart = new RegExp(`([?&;#](?:${parameter})=)[^&;#\\s]+`, "gi");

function redact(name: string, value: string): string {
  if (secretName.test(name) || secretValue.test(value)) return hidden;
  return value.replace(secretPart, `$1${hidden}`);
}
