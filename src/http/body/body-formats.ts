import { parse } from "secure-json-parse";
import { BODY_MALFORMED } from "../errors/errors.ts";

/** Deeper than any realistic document, and shallow enough for recursive code. */
const maxDepth = 100;

/** Parses JSON. Rejects prototype poisoning and excessive nesting. */
export function parseJson(text: string): unknown {
  if (hasManyBrackets(text) && depthOf(text) > maxDepth) {
    throw BODY_MALFORMED("JSON", `it is nested more than ${maxDepth} levels deep`);
  }
  try {
    return mayPoison(text)
      ? parse(text, null, { protoAction: "error", constructorAction: "error" })
      : JSON.parse(text);
  } catch (cause) {
    throw BODY_MALFORMED.with({ cause }, "JSON", (cause as Error).message);
  }
}

/** Other texts cannot contain the keys that are rejected. Much cheaper than searching for all their spellings. */
function mayPoison(text: string): boolean {
  return text.includes("__proto__") || text.includes("constructor") || text.includes("\\u");
}

/** A text with fewer brackets cannot be nested too deeply. Much cheaper than finding out how deeply it is. */
function hasManyBrackets(text: string): boolean {
  return hasMoreThan(text, "{", maxDepth / 2) || hasMoreThan(text, "[", maxDepth / 2);
}

function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case 34: // "
        index = endOfString(text, index);
        break;
      case 91: // [
      case 123: // {
        if (++depth > deepest) deepest = depth;
        break;
      case 93: // ]
      case 125: // }
        depth--;
    }
  }
  return deepest;
}

function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 92) index++;
    else if (code === 34) return index;
  }
  return text.length;
}

/** Maximum number of form fields, in any encoding. */
export const maxFields = 1_000;

/** Parses form fields. A repeated name becomes an array. */
export function parseForm(text: string): Record<string, unknown> {
  // Checked before parsing: a megabyte of separators would keep the parser busy for seconds.
  if (hasMoreThan(text, "&", maxFields - 1)) {
    throw BODY_MALFORMED("form data", `it has more than ${maxFields} fields`);
  }
  const fields = new FieldSet();
  for (const [name, value] of new URLSearchParams(text)) fields.add(name, value);
  return fields.values;
}

export function hasMoreThan(text: string, separator: string, most: number): boolean {
  let count = 0;
  for (let at = text.indexOf(separator); at !== -1; at = text.indexOf(separator, at + 1)) {
    if (++count > most) return true;
  }
  return false;
}

/** Collects form fields in an object without a prototype. */
export class FieldSet {
  readonly values: Record<string, unknown> = Object.create(null);

  add(name: string | undefined, value: unknown): void {
    if (name === undefined) throw BODY_MALFORMED("form data", "a part has no name");
    if (name === "__proto__") throw BODY_MALFORMED("form data", "the field name __proto__ is not allowed");
    const earlier = this.values[name];
    if (earlier === undefined) this.values[name] = value;
    else if (Array.isArray(earlier)) earlier.push(value);
    else this.values[name] = [earlier, value];
  }
}
